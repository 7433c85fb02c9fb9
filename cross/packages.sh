# Debian packages of this machine, and sources from the same mirrors. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

# For the build, the tests, and the commands themselves.
packages=(
    g++ gcc-12-plugin-dev meson ninja-build pkgconf make python3 git
    libelf-dev libdw-dev libcli11-dev nlohmann-json3-dev libgtest-dev
    mmdebstrap qemu-user dpkg-dev xz-utils m4
    clang-format shellcheck valgrind gdb-multiarch
)

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "'$*' needs root; run this as root or install sudo"
    fi
}

require_debian() {
    local id=unknown version=''
    if [ -r /etc/os-release ]; then
        # shellcheck disable=SC1091
        id=$(. /etc/os-release && echo "${ID:-unknown}")
        # shellcheck disable=SC1091
        version=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    fi
    [ "$id/$version" = "debian/$suite" ] ||
        die "needs Debian 12 ($suite), whose MIPS packages it uses; this is $id ${version:-of no known release}"
}

# The file lists of somebody else's packages may fail to update; what counts is that ours install.
apt_update() {
    as_root apt-get -qq -o DPkg::Lock::Timeout=600 update ||
        say "apt-get update reported errors; going on with the lists that it has"
}

# install_packages NAME...: installs those that are missing.
install_packages() {
    local name missing=()
    for name; do
        [ "$(dpkg-query -Wf '${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] ||
            missing+=("$name")
    done
    [ ${#missing[@]} != 0 ] || return 0
    say "installing ${missing[*]}"
    apt_update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600 \
        install --no-install-recommends "${missing[@]}" >/dev/null ||
        die "apt-get could not install: ${missing[*]}"
}

# What this machine needs for the targets that are given.
install_host_packages() {
    require_debian
    local name compiler wanted=("${packages[@]}")
    for name; do
        select_target "$name"
        compiler=$(compiler_triplet)
        case $triplet in
            *-gnuabin32) wanted+=("g++-multilib-$compiler" "binutils-$triplet") ;;
            *) wanted+=("gcc-$compiler" "g++-$compiler") ;;
        esac
        # Its headers for plugins, which are the same for n32.
        wanted+=("gcc-12-plugin-dev-$compiler")
    done
    install_packages "${wanted[@]}"
    for name; do
        select_target "$name"
        case $triplet in
            *-gnuabin32) name_n32_compilers ;;
            *-musl) name_musl_compilers ;;
        esac
    done
}

# The name of Debian's compiler that makes the target's programs.
compiler_triplet() {
    case $triplet in
        *-gnuabin32) echo "${triplet/abin32/abi64}" ;;
        mips64el-linux-musl) echo mips64el-linux-gnuabi64 ;;
        *-musl) echo "${triplet%musl}gnu" ;;
        *) echo "$triplet" ;;
    esac
}

# Debian has no compilers of n32's own name; those for n64 know n32 too.
name_n32_compilers() {
    local tool
    for tool in gcc g++; do name_tool $tool "$(compiler_triplet)-$tool -mabi=n32"; done
}

# name_tool TOOL "COMMAND...": build/toolchain/TRIPLET-TOOL
name_tool() {
    local temp=$build/toolchain/.$triplet-$1
    mkdir -p "$build/toolchain"
    # shellcheck disable=SC2016 # "$@" is the script's
    printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$temp"
    chmod +x "$temp"
    mv "$temp" "$build/toolchain/$triplet-$1"
}

# debian_sources deb|deb-src: sources.list lines for Debian's own archive, from this machine's apt
# configuration, whatever its format. Other people's archives are not among them.
debian_sources() {
    local lines
    lines=$(debian_source_lines "$1")
    if [ -z "$lines" ]; then
        apt_update
        lines=$(debian_source_lines "$1")
    fi
    [ -n "$lines" ] || die "apt on this machine is not set up for Debian $suite (main)"
    printf '%s\n' "$lines"
}

debian_source_lines() {
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    apt-get indextargets --format "$1 [signed-by=$keyring] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
        'Created-By: Packages' 'Origin: Debian' 'Component: main' |
        awk -v suite="$suite" '$4 ~ "^" suite "(-updates|-security)?$"' | sort -u
}

# One row per source package that is used: name, version, SHA-256 of its .dsc, which holds those of
# its files.
known_sources='
elfutils    0.188-2.1         2e73c5bfe9d0ddbf837742d638c43b049590ae1de8f6e3d9c2740c28e2550760
googletest  1.12.1-0.2        cc90251040c145be18d5090787d9ec79e48217c6cef3ae78eb20f0e31551404c
leveldb     1.23-4            1eae53db8925a1d96f43673eb94c7a4f6b25b6edf283753b29fe80c1068f8173
libunwind   1.6.2-3           f91558f4ff8c887f22a4ebe0562735b7b2ceb24df87658fca81ce5df0f245f76
lua5.4      5.4.4-3+deb12u1   d47c50154294a68c8a209c5d61bc09e5b22891c01b7c47501ac3f9725eb4a813
mksh        59c-28+deb12u1   c867075fce56478c14435619fc7821af7df0f742a3f11df9b2d3080b5c4f2e68
zlib        1:1.2.13.dfsg-1   3fa1e6b2fc525062aa88207dda52fed8e045373c809d362fe8a2bfbf7cf515a8
'

source_row() { awk -v name="$1" '$1 == name' <<<"$known_sources"; }

# fetch_source PACKAGE DIR: unpacks a Debian source package into DIR. Uses an apt state of its own,
# so neither root nor a change of the machine's configuration is needed.
fetch_source() {
    local package=$1 dir=$2 state=$build/apt version hash
    read -r _ version hash < <(source_row "$package") ||
        usage_error "unknown source package '$package'; known_sources in cross/packages.sh lists them"
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    debian_sources deb-src | awk -v suite="$suite" '$4 == suite' >"$state/sources.list"
    local apt=(
        apt-get -qq
        -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache"
        -o "APT::Sandbox::User=$(id -un)"
    )
    "${apt[@]}" update || die "cannot fetch the list of Debian's source packages"
    rm -rf "$dir.fetch"
    mkdir -p "$dir.fetch"
    (cd "$dir.fetch" && "${apt[@]}" source "$package=$version" >fetch.log 2>&1) ||
        die "cannot fetch the source package $package: $(tail -n1 "$dir.fetch/fetch.log")"
    (cd "$dir.fetch" && printf '%s  %s\n' "$hash" ./*.dsc | sha256sum --quiet -c) >&2 ||
        die "the source package $package $version is another one than it was"
    publish "$(find "$dir.fetch" -mindepth 1 -maxdepth 1 -type d)" "$dir"
    rm -rf "$dir.fetch"
}

# source_of PACKAGE: the folder build/sources/PACKAGE, unpacked once; prints it. Not to be built in.
source_of() {
    local folder=$build/sources/$1 recipe
    recipe=$(source_row "$1")
    if ! up_to_date "$folder" "$recipe"; then
        say "fetching the source package $1"
        mkdir -p "$build/sources"
        fetch_source "$1" "$folder" >&2
        printf '%s\n' "$recipe" >"$folder/.made-from"
    fi
    printf '%s\n' "$folder"
}
