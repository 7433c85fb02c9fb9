# The targets' system roots. Sourced.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh
# shellcheck source=cross/own_libraries.sh
. "$root/cross/own_libraries.sh"
# shellcheck source=cross/musl.sh
. "$root/cross/musl.sh"

sysroot_packages=(
    libc6-dev libstdc++-12-dev linux-libc-dev libelf-dev zlib1g-dev liblzma-dev libunwind-dev
    libgtest-dev libcli11-dev nlohmann-json3-dev
)

# build/sysroot/TARGET, as compilers take it with --sysroot and qemu-user with -L.
make_sysroot() {
    case $debian_arch/$triplet in
        -/*) make_sysroot_without_port ;;
        *-musl) make_musl_sysroot ;;
        *) make_sysroot_of_port ;;
    esac
}

# From the port's own packages.
make_sysroot_of_port() {
    local recipe="1 $suite $debian_arch ${sysroot_packages[*]}" temp=$sysroot.new
    up_to_date "$sysroot" "$recipe" && return
    say "making the sysroot of $target"
    extract_packages "$temp" "${sysroot_packages[@]}"
    printf '%s\n' "$recipe" >"$temp/.made-from"
    publish "$temp" "$sysroot"
}

# extract_packages DIR NAME...: the port's packages, and those that they need, in a new folder.
extract_packages() {
    local temp=$1 mode=auto include
    shift
    include=$(IFS=,; echo "$*")
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
}

# An absolute link in a sysroot leads out of it, to this machine's file of that name or nowhere.
relative_links() {
    local link
    find "$1" -type l -lname '/*' -print | while read -r link; do
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$1$(readlink "$link")")" "$link"
    done
}

# From the libc that comes with the cross compiler, which finds what is needed to link with it by
# itself, and from libraries that are built here.
make_sysroot_without_port() {
    local recipe temp=$sysroot.new
    recipe="1 $suite $triplet $(libc_version) $(own_libraries_recipe)"
    up_to_date "$sysroot" "$recipe" && return
    say "making the sysroot of $target"
    rm -rf "$temp"
    mkdir -p "$temp"
    copy_libc "$temp"
    build_own_libraries "$temp"
    printf '%s\n' "$recipe" >"$temp/.made-from"
    publish "$temp" "$sysroot"
}

# Where the cross compiler has its libc.
libc_folder() {
    case $triplet in
        *-gnuabin32) echo "/usr/${triplet/abin32/abi64}/lib32" ;;
        *) echo "/usr/$triplet/lib" ;;
    esac
}

libc_version() { dpkg-query -Wf '${Version}\n' "$(dpkg-query -S "$(libc_folder)/libc.so.6" | cut -d: -f1)"; }

# Each ABI's dynamic linker lies in a folder of its own; n32's looks for libraries there, too.
copy_libc() {
    local temp=$1 from folder loader
    from=$(libc_folder)
    case $triplet in
        *-gnuabi64) folder=lib64 ;;
        *-gnuabin32) folder=lib32 ;;
        *) folder=lib ;;
    esac
    mkdir -p "$temp/$folder" "$temp/lib" "$temp/usr/lib/$triplet"
    if [ "$folder" = lib32 ]; then
        ln -s ../lib32 "$temp/lib/$triplet"
    else
        mkdir "$temp/lib/$triplet"
    fi
    find "$from" -maxdepth 1 -name 'lib*.so.*' -exec cp -P -t "$temp/lib/$triplet" {} +
    for loader in "${from%/*}/$folder"/ld*.so.1; do cp -L "$loader" "$temp/$folder"; done
}
