#!/bin/sh
# Installs into a fresh prefix, then builds and runs the examples from outside the tree: C, C++ and Python, with the
# CMake package and with pkg-config, shared and static.
#
# usage: run.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

say() { printf '== %s\n' "$*"; }
same() { # name, expected, found
    if [ "$2" != "$3" ]; then
        printf 'FAILED %s\nexpected:\n%s\nfound:\n%s\n' "$1" "$2" "$3"
        exit 1
    fi
    say "$1 agrees"
}

say install
cmake --install "$build" --prefix "$prefix" > "$work/install.log"
lib=$(dirname "$(find "$prefix" -name libmillprobe.a)")
examples=$source/probe/examples

say tables
"$build/bin/millwright" build --rules lg9 --set pieces=3 --all --tables "$work/tables" --threads 2 > "$work/build.log" 2>&1
position='WW1/3/BB1/6/3/3/3 w 1,1'
turns='win in 1
g7xc5      win
g7xd5      win
e5         win
a1         loss
a4         loss'
line='win in 1
g7xc5 '

say "CMake package"
cmake -S "$source/tests/install" -B "$work/outside" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$examples" > "$work/cmake.log"
cmake --build "$work/outside" > "$work/cmake-build.log"
for kind in shared static; do
    same "C, $kind" "$turns" "$("$work/outside/best_turn_$kind" lg9 "$work/tables" "$position")"
    same "C++, $kind" "$line" "$("$work/outside/best_line_$kind" lg9 "$work/tables" "$position")"
done

say pkg-config
export PKG_CONFIG_PATH="$lib/pkgconfig"
flags=$(pkg-config --cflags millprobe)
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror $flags "$examples/best_turn.c" -o "$work/pc_shared" $(pkg-config --libs millprobe)
same "pkg-config, shared" "$turns" "$(LD_LIBRARY_PATH=$lib "$work/pc_shared" lg9 "$work/tables" "$position")"
# shellcheck disable=SC2086
${CC:-cc} -std=c99 $flags "$examples/best_turn.c" -o "$work/pc_static" "$lib/libmillprobe.a" \
    $(pkg-config --static --libs millprobe | sed 's/-lmillprobe//')
same "pkg-config, static" "$turns" "$("$work/pc_static" lg9 "$work/tables" "$position")"
if ldd "$work/pc_static" | grep millprobe; then
    echo "FAILED: the static program needs the shared library"
    exit 1
fi

say Python
python=$(dirname "$(find "$prefix" -name millprobe.py)")
same Python "$line" "$(PYTHONPATH=$python MILLPROBE_LIBRARY=$lib/libmillprobe.so \
    python3 "$examples/best_line.py" lg9 "$work/tables" "$position") "

say "exported symbols"
same symbols "" "$(nm -D --defined-only "$lib/libmillprobe.so" | awk '$2 != "A" { print $3 }' | grep -v '^mp_' || true)"
same soname "libmillprobe.so.0" "$(objdump -p "$lib/libmillprobe.so" | awk '$1 == "SONAME" { print $2 }')"
say "needed: $(objdump -p "$lib/libmillprobe.so" | awk '$1 == "NEEDED" { print $2 }' | tr '\n' ' ')"
say passed
