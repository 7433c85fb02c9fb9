# Lets the kernel of this machine start programs of a target, so that what a program under qemu-user
# execs runs, too. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # qemu is set by lib.sh

binfmt=/proc/sys/fs/binfmt_misc

register_programs() {
    install_packages qemu-user-static # a dynamic one would heed the LD_PRELOAD that is the program's
    [ -e "$binfmt/register" ] || as_root mount -t binfmt_misc binfmt_misc "$binfmt"
    [ -e "$binfmt/$qemu" ] || # the package may have done it
        as_root sh -c "cat /usr/lib/binfmt.d/$qemu.conf >$binfmt/register"
}

# For the target that is selected. Needs a kernel and rights that a container may lack; tests that
# need it are skipped then.
try_to_register_programs() {
    [ ! -e "$binfmt/$qemu" ] || return 0
    (register_programs) 2>/dev/null ||
        say "the kernel of this machine can't be told of $target's programs: what they exec is not tested"
}
