# Libraries that are built here for a target: what Debian hasn't got in the form we need, and, where
# it has no port, what it hasn't got at all. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

# in_copy_of PACKAGE WORK FUNCTION: runs FUNCTION in a copy of the package's sources at WORK/PACKAGE.
in_copy_of() {
    local package=$1 work=$2 source
    source=$(source_of "$package")
    mkdir -p "$work"
    cp -r "$source" "$work/$package"
    # In the background, since bash goes on behind an error in what || or && follows.
    (
        cd "$work/$package" || exit
        "$3"
    ) >"$work/$package.log" 2>&1 &
    wait $! ||
        die "cannot build $package for $target; see $work/$package.log"
}

# configure_elfutils ARGS...
configure_elfutils() {
    ./configure --host="$triplet" --prefix=/usr --libdir="/usr/lib/$triplet" \
        --disable-debuginfod --disable-libdebuginfod --disable-nls \
        --without-bzlib --without-lzma --without-zstd \
        CC="$triplet-gcc --sysroot=$libraries" CXX="$triplet-g++ --sysroot=$libraries" CFLAGS='-O2 -g' "$@"
    # The rest is for elfutils' own programs.
    make -j"$(nproc)" -C lib libeu.a libeu_a_OBJECTS='crc32.o crc32_file.o next_prime.o'
}

# build/deps/TARGET/{libelf_pic.a,libeu.a}. Debian's libelf.a is made for programs: its thread-local
# variables use the local-exec model, which a shared object cannot have.
make_libelf_pic() {
    [ "$deps" != "$sysroot/usr/lib/$triplet" ] || return 0 # they are in the sysroot
    local recipe
    recipe="1 $(source_row elfutils) $(cat "$sysroot/.made-from")"
    up_to_date "$deps" "$recipe" && return
    say "building libelf_pic.a for $target"
    local work=$build/deps/$target.work libraries=$sysroot
    rm -rf "$work" "$deps.new"
    mkdir -p "$deps.new"
    in_copy_of elfutils "$work" build_libelf_pic
    cp "$work/elfutils/libelf/libelf_pic.a" "$work/elfutils/lib/libeu.a" "$deps.new"
    printf '%s\n' "$recipe" >"$deps.new/.made-from"
    publish "$deps.new" "$deps"
    rm -rf "$work"
}

build_libelf_pic() {
    configure_elfutils
    make -j"$(nproc)" -C libelf libelf_pic.a
}

own_libraries_recipe() {
    source_row zlib
    source_row elfutils
    dpkg-query -Wf '${Package} ${Version}\n' googletest libcli11-dev nlohmann-json3-dev
}

# build_own_libraries DIR: all that a port's packages would have brought into the sysroot at DIR. What
# is all headers, and the sources of GoogleTest, are this machine's packages.
build_own_libraries() {
    local libraries=$1 work=$build/deps/$target.work
    copy_headers
    build_basic_libraries "$libraries"
    build_googletest
    rm -rf "$work"
}

# build_basic_libraries DIR: those that the runtime library has linked in.
build_basic_libraries() {
    local libraries=$1 work=$build/deps/$target.work
    rm -rf "$work"
    in_copy_of zlib "$work" build_zlib
    in_copy_of elfutils "$work" build_elfutils
    rm -rf "$work"
}

copy_headers() {
    mkdir -p "$libraries/usr"
    dpkg -L libcli11-dev nlohmann-json3-dev libgtest-dev | grep -E '^/usr/(include|share/pkgconfig)/' |
        while read -r file; do
            [ -d "$file" ] || install -m 644 -D "$file" "$libraries$file"
        done
}

build_zlib() {
    CC="$triplet-gcc --sysroot=$libraries" AR="$triplet-ar" RANLIB="$triplet-ranlib" CFLAGS='-O2 -g -fPIC' \
        ./configure --static --prefix=/usr --libdir="/usr/lib/$triplet"
    make -j"$(nproc)" libz.a
    make install DESTDIR="$libraries"
}

build_elfutils() {
    local knowing=()
    # What musl has in libraries of their own; libelf needs none of it.
    case $triplet in
        *-musl) knowing=('ac_cv_search_argp_parse=none required' 'ac_cv_search_fts_close=none required' 'ac_cv_search__obstack_free=none required') ;;
    esac
    configure_elfutils "${knowing[@]}"
    make -j"$(nproc)" -C libelf libelf.a libelf_pic.a
    install -m 644 -t "$libraries/usr/include" libelf/{libelf,gelf,nlist}.h
    install -m 644 -t "$libraries/usr/lib/$triplet" libelf/libelf.a libelf/libelf_pic.a lib/libeu.a
    install -m 644 -t "$libraries/usr/lib/$triplet/pkgconfig" config/libelf.pc
}

build_googletest() {
    local source=/usr/src/googletest/googletest lib=$libraries/usr/lib/$triplet name
    mkdir -p "$work"
    for name in gtest-all:libgtest gtest_main:libgtest_main; do
        {
            "$triplet-g++" "--sysroot=$libraries" -O2 -g -c -I"$source/include" -I"$source" \
                "$source/src/${name%:*}.cc" -o "$work/${name%:*}.o"
            "$triplet-ar" rcs "$lib/${name#*:}.a" "$work/${name%:*}.o"
        } >"$work/googletest.log" 2>&1 || die "cannot build GoogleTest for $target; see $work/googletest.log"
    done
    dpkg -L libgtest-dev | grep '/gtest.*\.pc$' | while read -r name; do
        sed "s|/lib/[^/]*-linux-gnu|/lib/$triplet|" "$name" >"$lib/pkgconfig/${name##*/}"
    done
}
