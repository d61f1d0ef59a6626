#!/usr/bin/env bash
# The command line of millwright: selections, exit codes, resuming, several processes, damage.
#
# usage: cli_test.sh MILLWRIGHT
set -uo pipefail

millwright=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect NAME CODE COMMAND...: the exit code; output is left in $folder/out and $folder/err.
expect() {
    local name=$1 code=$2
    shift 2
    "$@" >"$folder/out" 2>"$folder/err"
    local got=$?
    if [ $got -ne "$code" ]; then
        echo "FAILED $name: exit code $got, expected $code" >&2
        head -5 "$folder/out" "$folder/err" >&2
        failed=1
    fi
}
# says NAME FILE PATTERN
says() {
    if ! grep -qE -e "$3" "$folder/$2"; then
        echo "FAILED $1: '$3' not found in:" >&2
        head -5 "$folder/$2" >&2
        failed=1
    fi
}
same() {
    if ! diff -r --exclude=locks --exclude=solve-log.jsonl "$2" "$3" >"$folder/diff"; then
        echo "FAILED $1: tables differ" >&2
        head -5 "$folder/diff" >&2
        failed=1
    fi
}
build() { "$millwright" build --rules lg9 --set pieces=3 --start --tables "$@"; }

expect "no command" 2 "$millwright"
expect "help" 0 "$millwright" --help
for command in plan build verify stats bench signature; do expect "help of $command" 0 "$millwright" $command --help; done
expect "unknown command" 2 "$millwright" paint
expect "unknown ruleset" 2 "$millwright" plan --rules lg99 --start
says "unknown ruleset" err "lg9"
expect "no selection" 2 "$millwright" build --rules lg9 --tables "$folder/none"
says "no selection" err "select"
expect "bad subspace" 2 "$millwright" plan --rules lg9 --subspace 5+4
expect "impossible subspace" 2 "$millwright" plan --rules lg9 --subspace 10-3
expect "bad metrics" 2 "$millwright" plan --rules lg9 --start --metrics dte
expect "a device for a ruleset" 2 "$millwright" plan --rules /dev/zero --start
# It would be in the way of the manifest, which is written last.
expect "a title that is no UTF-8" 2 "$millwright" build --rules lg9 --set "title=$(printf 'M\374hle')" --start \
    --tables "$folder/none"
says "a title that is no UTF-8" err "UTF-8"
expect "bad memory" 2 "$millwright" plan --rules lg9 --start --memory much

expect "plan" 0 "$millwright" plan --rules lg9 --set pieces=3 --start --json
says "plan" out '"group":\["3-3\+0-0"\]'
[ ! -e "$folder/tables" ] || { echo "FAILED plan: it made a directory" >&2; failed=1; }

expect "too little memory" 4 "$millwright" build --rules lg9 --stones 8 --tables "$folder/small" --memory 1M
says "too little memory" err "needs .* of memory"
expect "no tables" 3 "$millwright" stats --rules lg9 --tables "$folder/none"

expect "build" 0 build "$folder/one" --threads 1 --progress plain
says "build" err "100.0 %"
expect "stats" 0 "$millwright" stats --rules lg9 --tables "$folder/one" --subspace 3-3 --json
says "stats" out '"subspace":"3-3\+0-0","own":3,"opp":3,"own_reserve":0,"opp_reserve":0,"limit":50,"positions":2691920,"win":2232160,"draw":4112,"loss":455648,"max_dte":26,"sum_dte":[0-9]+,"max_dtz":26,"sum_dtz":12952072'
expect "verify" 0 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/one" --full
expect "build again" 0 build "$folder/one" --progress json
says "build again" out '"finished_groups":7'
if grep -q started "$folder/out"; then
    echo "FAILED build again: something was solved again" >&2
    failed=1
fi

# The same bytes whatever the number of threads, and by two processes in one directory.
for threads in 2 7; do
    expect "build with $threads threads" 0 build "$folder/threads$threads" --threads $threads --progress none
    same "$threads threads" "$folder/one" "$folder/threads$threads"
done
build "$folder/both" --progress none 2>/dev/null &
other=$!
expect "one of two processes" 0 build "$folder/both" --progress none
wait $other || { echo "FAILED the other process" >&2; failed=1; }
same "two processes" "$folder/one" "$folder/both"

# Stopped with SIGTERM or SIGINT, gone on with.
for signal in TERM INT; do
    code=143
    [ $signal = INT ] && code=130
    rm -rf "$folder/stopped"
    "$millwright" build --rules lg9 --stones 9 --tables "$folder/stopped" --progress json >"$folder/log" 2>/dev/null &
    builder=$!
    for _ in $(seq 200); do
        grep -q '"started"' "$folder/log" 2>/dev/null && break
        sleep 0.05
    done
    kill -$signal $builder
    wait $builder
    got=$?
    # It may have been done before the signal came.
    if [ $got -ne $code ] && [ $got -ne 0 ]; then
        echo "FAILED stop by $signal: exit code $got, expected $code" >&2
        failed=1
    fi
    if find "$folder/stopped" -name '*.tmp-*' | grep -q .; then
        echo "FAILED stop by $signal: a half-written file stayed" >&2
        failed=1
    fi
done
# Killed: leftovers go when the group is built again.
mkdir -p "$folder/killed"
build "$folder/killed" --progress none &
builder=$!
sleep 0.1
kill -KILL $builder 2>/dev/null
wait $builder 2>/dev/null
expect "go on after a kill" 0 build "$folder/killed" --progress none
same "after a kill" "$folder/one" "$folder/killed"

# Another metric later; the faster path gives the same bytes.
expect "wdl,dtz" 0 build "$folder/fast" --metrics wdl,dtz --progress none
for table in "$folder"/fast/*/*.wdl "$folder"/fast/*/*.dtz; do
    cmp -s "$table" "$folder/one/$(basename "$(dirname "$table")")/$(basename "$table")" ||
        { echo "FAILED wdl,dtz: $(basename "$table") differs" >&2; failed=1; }
done
expect "dte added" 0 build "$folder/fast" --progress none
same "dte added" "$folder/one" "$folder/fast"

# Boost's placeholders in what it reports once made it report for ever.
for hostile in "--threads=%value%" "--%canonical_option%" "--threads=%option%"; do
    expect "placeholder $hostile" 2 timeout 10 "$millwright" plan --rules lg9 "$hostile"
done

# Repacking: the same values in another form, resumed, and exit codes.
repack() { "$millwright" repack --rules lg9 --set pieces=3 --tables "$folder/one" "$@"; }
expect "repack" 0 repack --output "$folder/repacked"
expect "repacked tables" 0 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/repacked" --full
expect "repack again" 0 repack --output "$folder/repacked" --json
if grep -q '"skipped":false' "$folder/out"; then echo "FAILED repack again: not all was skipped" >&2; failed=1; fi
expect "back to plain" 0 "$millwright" repack --rules lg9 --set pieces=3 --tables "$folder/repacked" \
    --output "$folder/plain" --codec plain --level 3
for table in "$folder"/one/lg9-*/*.{wdl,dtz,dte}; do
    cmp -s "$table" "$folder"/plain/lg9-*/"$(basename "$table")" ||
        { echo "FAILED back to plain: $(basename "$table") differs" >&2; failed=1; }
done
expect "outcomes alone" 0 repack --output "$folder/outcomes" --metrics wdl
[ -z "$(find "$folder/outcomes" -name '*.dt?')" ] || { echo "FAILED outcomes alone: distances too" >&2; failed=1; }
# Half sets answer, and are verified, like whole ones; what is left out may not hide that something is missing.
expect "half" 0 repack --output "$folder/half" --half
says "half" out "2-3\+1-0 +left out"
[ ! -e "$(ls -d "$folder"/half/lg9-*)/2-3+1-0.wdl" ] || { echo "FAILED half: 2-3+1-0 is there" >&2; failed=1; }
expect "verify half" 0 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/half" --full
# Without dtz only what every turn resets follows: placements here.
expect "half, outcomes alone" 0 repack --output "$folder/half-outcomes" --half --metrics wdl
says "half, outcomes alone" out "2-3\+1-0 +left out"
expect "half, of what does not follow" 0 repack --output "$folder/alone" --half --subspace 2-3+1-0
says "half, of what does not follow" out "2-3\+1-0\.wdl"
expect "verify what lacks its children" 3 "$millwright" verify --rules lg9 --set pieces=3 \
    --tables "$folder/alone" --full
says "verify what lacks its children" out "2-3\+1-0 .*without 3-3\+0-0\.wdl"
# What was left out and follows only with depths is not made again without.
walking=(--rules lg9 --set pieces=4 --set flying=off --set quiet_limit=7)
expect "walking" 0 "$millwright" build "${walking[@]}" --subspace 3-3+1-0 --metrics wdl,dtz --tables "$folder/walking" \
    --progress none
rm "$folder"/walking/lg9-*/{*.dtz,3-4+0-0.wdl,manifest.json}
expect "verify outcomes that lack one" 3 "$millwright" verify "${walking[@]}" --subspace 3-3+1-0 --full \
    --tables "$folder/walking"
says "verify outcomes that lack one" out "without 3-4\+0-0\.dtz"
# Under a draw limit values depend on children at lower budgets: without dtz verify says that it cannot tell.
expect "verify outcomes alone" 3 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/outcomes" --full
says "verify outcomes alone" out "3-3\+0-0 +checksums and statistics good.*without 3-3\+0-0\.dtz"
says "verify outcomes alone" out "2-3\+1-0 +[0-9]+ positions.*good"
expect "distances without depths" 0 build "$folder/undeep" --metrics wdl,dte --progress none
expect "verify distances without depths" 3 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/undeep" --full
expect "dtz that solving needs" 2 "$millwright" build --rules gf9 --set pieces=3 --start --metrics wdl \
    --tables "$folder/x" --progress none
says "dtz that solving needs" err "dtz of smaller subspaces"
expect "repack without output" 2 repack
expect "repack onto itself" 2 repack --output "$folder/one"
expect "repack with a bad codec" 2 repack --output "$folder/x" --codec gz
expect "repack of nothing" 3 "$millwright" repack --rules lg9 --tables "$folder/none" --output "$folder/x"

# Damage is found, named, and never built upon.
ruleset=$(basename "$(ls -d "$folder"/one/lg9-*)")
cp -r "$folder/one" "$folder/flip"
file=$folder/flip/$ruleset/3-3+0-0.dtz
printf '\377' | dd of="$file" bs=1 seek=1000 conv=notrunc 2>/dev/null
expect "flipped byte" 3 "$millwright" verify --rules lg9 --set pieces=3 --tables "$folder/flip"
says "flipped byte" err "3-3\+0-0.dtz.*checksum"
cp -r "$folder/one" "$folder/cut"
truncate -s -100 "$folder/cut/$ruleset/3-3+0-0.wdl"
rm "$folder/cut/$ruleset/2-3+1-0."*
expect "truncated child" 3 build "$folder/cut" --progress none
says "truncated child" err "3-3\+0-0.wdl"
cp -r "$folder/one" "$folder/renamed"
cp "$folder/one/$ruleset/2-2+1-1.wdl" "$folder/renamed/$ruleset/3-3+0-0.wdl"
expect "renamed table" 3 "$millwright" stats --rules lg9 --tables "$folder/renamed"
says "renamed table" err "renamed"
mkdir -p "$folder/foreign"
cp -r "$folder/one/$ruleset" "$folder/foreign/$(basename "$ruleset")"
expect "foreign ruleset" 3 "$millwright" stats --rules solved9 --tables "$folder/foreign"

[ $failed -eq 0 ] && echo "all good"
exit $failed
