# Shared by the scripts of this folder; sourced from the root of the tree.

# Says what comes next.
step() { printf '\n== %s\n' "$*"; }

# Shows a command and runs it.
run() {
    printf '$ %s\n' "$*"
    "$@"
}

# configure PRESET [CMAKE-ARGUMENT...]: only what goes wrong is shown.
configure() { cmake --preset "$@" >/dev/null; }

# Configures build/release and builds the given targets (all by default).
build_release() {
    local targets=()
    [ $# -eq 0 ] || targets=(--target "$@")
    configure release
    cmake --build --preset release -j "${JOBS:-$(nproc)}" "${targets[@]}"
}
