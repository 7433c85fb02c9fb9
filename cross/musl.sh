# Targets whose libc is musl. Debian has musl for them and no compiler of that name: its compiler for
# glibc knows musl when it is told where everything is. Its C++ library is of no use then, so what is
# built are the runtime library, and programs in C. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

# build/toolchain/TRIPLET-*
name_musl_compilers() {
    local compiler tool options includes
    compiler=$(compiler_triplet)
    includes="-isystem $sysroot/usr/include/$triplet -isystem $sysroot/usr/include/$compiler"
    includes+=" -isystem $sysroot/usr/include -isystem $("$compiler-gcc" -print-file-name=include)"
    options="-mmusl -B$sysroot/usr/lib/$triplet -L$sysroot/lib/$triplet -L$sysroot/usr/lib/$triplet -nostdinc"
    name_tool gcc "$compiler-gcc $options $includes"
    includes="-isystem /usr/$compiler/include/c++/12 -isystem /usr/$compiler/include/c++/12/$compiler $includes"
    name_tool g++ "$compiler-g++ $options -include $root/cross/like_glibc.h $includes"
    for tool in ar gcc-ar ranlib strip objcopy objdump readelf nm ld as; do
        name_tool $tool "$compiler-$tool"
    done
}

make_musl_sysroot() {
    local recipe
    recipe="1 $suite $debian_arch $(source_row zlib) $(source_row elfutils) $(cksum <"$root/cross/musl.sh")"
    up_to_date "$sysroot" "$recipe" && return
    say "making the sysroot of $target"
    extract_packages "$sysroot.new" musl-dev linux-libc-dev
    publish "$sysroot.new" "$sysroot" # the compilers look there; not complete before .made-from
    build_basic_libraries "$sysroot"
    printf '%s\n' "$recipe" >"$sysroot/.made-from"
}
