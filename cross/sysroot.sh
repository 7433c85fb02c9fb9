# The targets' system root and the libraries that Debian hasn't got in the form we need. Sourced.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

sysroot_packages=(
    libc6-dev libstdc++-12-dev linux-libc-dev libelf-dev zlib1g-dev liblzma-dev libunwind-dev
    libgtest-dev libcli11-dev nlohmann-json3-dev
)

# build/sysroot/TARGET, as compilers take it with --sysroot and qemu-user with -L.
make_sysroot() {
    local recipe="1 $suite $debian_arch ${sysroot_packages[*]}"
    up_to_date "$sysroot" "$recipe" && return
    say "making the sysroot of $target"
    local temp=$sysroot.new mode=auto include
    include=$(IFS=,; echo "${sysroot_packages[*]}")
    # Nothing of the packages is run, so this needs neither root nor user namespaces.
    [ "$(id -u)" = 0 ] || mode=chrootless
    rm -rf "$temp"
    mkdir -p "$temp"
    # Through tar, so that the files belong to who runs this, also where mmdebstrap is not root.
    debian_sources deb |
        mmdebstrap --quiet --mode="$mode" --variant=extract --architectures="$debian_arch" \
            --include="$include" "$suite" - - |
        tar -x -C "$temp" --no-same-owner --no-same-permissions --exclude=./dev --exclude=./var ||
        die "cannot make the sysroot of $target"
    relative_links "$temp"
    printf '%s\n' "$recipe" >"$temp/.made-from"
    publish "$temp" "$sysroot"
}

# An absolute link in a sysroot leads out of it, to this machine's file of that name or nowhere.
relative_links() {
    local link
    find "$1" -type l -lname '/*' -print | while read -r link; do
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$1$(readlink "$link")")" "$link"
    done
}

# build/deps/TARGET/{libelf_pic.a,libeu.a}. Debian's libelf.a is made for programs: its thread-local
# variables use the local-exec model, which a shared object cannot have.
make_libelf_pic() {
    local recipe
    recipe="1 elfutils $(cat "$sysroot/.made-from")"
    up_to_date "$deps" "$recipe" && return
    say "building libelf_pic.a for $target"
    local work=$build/deps/$target.work
    rm -rf "$work" "$deps.new"
    mkdir -p "$work" "$deps.new"
    fetch_source elfutils "$work/elfutils"
    (
        cd "$work/elfutils"
        ./configure --host="$triplet" --disable-debuginfod --disable-libdebuginfod --disable-nls \
            --without-bzlib --without-lzma --without-zstd \
            CC="$triplet-gcc --sysroot=$sysroot" CXX="$triplet-g++ --sysroot=$sysroot" \
            CFLAGS='-O2 -g'
        make -j"$(nproc)" -C lib
        make -j"$(nproc)" -C libelf libelf_pic.a
    ) >"$work/log" 2>&1 || die "cannot build libelf for $target; see $work/log"
    cp "$work/elfutils/libelf/libelf_pic.a" "$work/elfutils/lib/libeu.a" "$deps.new"
    printf '%s\n' "$recipe" >"$deps.new/.made-from"
    publish "$deps.new" "$deps"
    rm -rf "$work"
}
