# Builds of what needs no MIPS, with clang's sanitizers: unit tests, and fuzz targets with the seeds
# that they begin with. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

sanitizer_packages=(clang-14 libclang-rt-14-dev)

# sanitized_build DIR "WHAT..." SANITIZERS ARGS...
sanitized_build() {
    local dir=$1 what=$2 sanitizers=$3
    shift 3
    CC=clang-14 CXX=clang++-14 meson_build "$dir" "$what" -Doptimization=1 -Ddebug=false \
        -Dc_args=-gline-tables-only -Dcpp_args=-gline-tables-only -Db_lundef=false \
        -Db_sanitize="$sanitizers" "$@"
}

# build/asan, for unit tests and fuzzing, and build/tsan, for the tests that have threads. After
# cross/build, which it takes the target's compiler and library from.
build_sanitized() {
    install_packages "${sanitizer_packages[@]}"
    sanitized_build "$build/tsan" lib/libmipstrace_portable.a thread
    sanitized_build "$build/asan" 'fuzzers tests/fuzz/shrink_trace' address,undefined
    make_seeds
}

# In place and not moved there at the end: recordings name the programs by their paths.
make_seeds() {
    local seeds=$build/asan/seeds recipe
    recipe=$(cat "$root"/tests/fuzz/{make_seeds,trace_image.cpp,shrink_trace.cpp} \
        "$dist/lib/mipstrace/$target/libmipstrace.so" | cksum)
    up_to_date "$seeds" "$recipe" && return
    say "making seeds for the fuzz targets"
    rm -rf "$seeds"
    TEST_ROOT=$root TEST_DIST=$dist TEST_SYSROOT=$sysroot TEST_TRIPLET=$triplet \
        "$root/tests/fuzz/make_seeds" "$seeds" "$build/asan/tests/fuzz/shrink_trace" ||
        die "tests/fuzz/make_seeds failed"
    printf '%s\n' "$recipe" >"$seeds/.made-from"
}
