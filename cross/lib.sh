# What the commands in cross/ share. Sourced, never run.
# shellcheck shell=bash disable=SC2034 # most variables are for the commands

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
dist=$build/dist
suite=bookworm

# Every command says for --help what stands at its head.
case ${1-} in
    -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$root/cross/${0##*/}"
        exit
        ;;
esac

# One row per target: name, Debian architecture (- where Debian has no port), GNU triplet, which
# qemu-user.
known_targets='
mips64el    mips64el  mips64el-linux-gnuabi64       qemu-mips64el
mipsel      mipsel    mipsel-linux-gnu              qemu-mipsel
mipsn32el   -         mips64el-linux-gnuabin32      qemu-mipsn32el
mips64      -         mips64-linux-gnuabi64         qemu-mips64
mips        -         mips-linux-gnu                qemu-mips
mipsn32     -         mips64-linux-gnuabin32        qemu-mipsn32
mips64r6el  -         mipsisa64r6el-linux-gnuabi64  qemu-mips64el
mipsr6el    -         mipsisa32r6el-linux-gnu       qemu-mipsel
mips64el-musl mips64el  mips64el-linux-musl           qemu-mips64el
mipsel-musl   mipsel    mipsel-linux-musl             qemu-mipsel
'

# The compilers that Debian has under another name, see cross/packages.sh.
PATH=$build/toolchain:$PATH

say() { printf '== %s\n' "$*" >&2; }

# die MESSAGE [STATUS]
die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

usage_error() { die "$1" 2; }

target_names() { awk 'NF { printf "%s%s", sep, $1; sep = ", " }' <<<"$known_targets"; }

# Sets what the commands need to know about a target; the name is the user's.
select_target() {
    local row
    row=$(awk -v name="$1" '$1 == name' <<<"$known_targets")
    [ -n "$row" ] || usage_error "unknown target '$1'; the targets are: $(target_names)"
    read -r target debian_arch triplet qemu <<<"$row"
    sysroot=$build/sysroot/$target
    case $debian_arch/$triplet in
        -/* | *-musl) deps=$sysroot/usr/lib/$triplet ;;
        *) deps=$build/deps/$target ;;
    esac
}

# Runs a command while no other command of cross/ is in a set-up step: two of them may be started
# in one tree at the same time.
locked() {
    mkdir -p "$build"
    (
        flock 9
        "$@" 9>&-
    ) 9>"$build/.lock"
}

# publish TEMP FINAL: what stands at FINAL is complete, whenever the command is interrupted.
publish() {
    rm -rf "$2.old"
    if [ -e "$2" ]; then mv -T "$2" "$2.old"; fi
    mv -T "$1" "$2"
    rm -rf "$2.old"
}

# up_to_date DIR RECIPE: was DIR made from exactly this?
up_to_date() { [ -f "$1/.made-from" ] && [ "$(cat "$1/.made-from")" = "$2" ]; }
