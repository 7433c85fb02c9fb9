# What the scripts here share. Sourced, never run. Meson sets the TEST_ variables.
# shellcheck shell=bash
set -euo pipefail
: "${TEST_ROOT:?is set by meson test}" "${TEST_TARGET:?}" "${TEST_TRIPLET:?}" "${TEST_QEMU:?}" \
    "${TEST_SYSROOT:?}" "${TEST_DIST:?}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

# expect_status STATUS COMMAND...: output goes to $scratch/out and $scratch/err.
expect_status() {
    local wanted=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = "$wanted" ] || {
        cat "$scratch/out" "$scratch/err" >&2
        fail "status $status instead of $wanted: $*"
    }
}

# expect_match FILE REGEX
expect_match() {
    grep -qE -- "$2" "$1" || {
        cat "$1" >&2
        fail "no line matches: $2"
    }
}

# The target's compiler, with what `mipstrace cflags` prints for it.
traced_cc() {
    local flags
    read -ra flags <<<"$("$TEST_DIST/bin/mipstrace" cflags --cc="$TEST_TRIPLET-gcc")"
    "$TEST_TRIPLET-gcc" --sysroot="$TEST_SYSROOT" "${flags[@]}" "$@"
}
