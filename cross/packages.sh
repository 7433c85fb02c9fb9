# Debian packages of this machine, and sources from the same mirrors. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

# For the build, the tests, and the commands themselves.
packages=(
    g++ meson ninja-build pkgconf make python3 git
    libelf-dev libcli11-dev nlohmann-json3-dev libgtest-dev
    mmdebstrap qemu-user dpkg-dev xz-utils m4
    clang-format shellcheck
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
    local name wanted=("${packages[@]}")
    for name; do
        select_target "$name"
        wanted+=("gcc-$triplet" "g++-$triplet")
    done
    install_packages "${wanted[@]}"
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

# fetch_source PACKAGE DIR: unpacks a Debian source package into DIR. Uses an apt state of its own,
# so neither root nor a change of the machine's configuration is needed.
fetch_source() {
    local package=$1 dir=$2 state=$build/apt
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    debian_sources deb-src >"$state/sources.list"
    local apt=(
        apt-get -qq
        -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache"
        -o "APT::Sandbox::User=$(id -un)"
    )
    "${apt[@]}" update || die "cannot fetch the list of Debian's source packages"
    rm -rf "$dir.fetch"
    mkdir -p "$dir.fetch"
    (cd "$dir.fetch" && "${apt[@]}" source "$package" >fetch.log 2>&1) ||
        die "cannot fetch the source package $package: $(tail -n1 "$dir.fetch/fetch.log")"
    publish "$(find "$dir.fetch" -mindepth 1 -maxdepth 1 -type d)" "$dir"
    rm -rf "$dir.fetch"
}
