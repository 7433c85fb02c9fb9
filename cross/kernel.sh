# Debian's own kernels for the targets, and a machine of QEMU that boots them. Sourced, never run.
# shellcheck shell=bash disable=SC2154,SC2034 # root, build, ... are set by lib.sh, kernel_* for cross/guest

# What is needed on this machine, only where a kernel is asked for.
kernel_host_packages=(qemu-system-mips cpio)

# One row per kernel: name, target, QEMU's system emulator, machine, CPU, number of CPUs, how a disk
# is attached, its name there, and the modules that it takes, in the order in which they are loaded.
# A target's first one is its usual one.
known_kernels='
5kc-malta   mips64el  qemu-system-mips64el  malta           MIPS64R2-generic  1  ide     sda  ata_piix
4kc-malta   mipsel    qemu-system-mipsel    malta           24Kf              1  ide     sda  ata_piix
loongson-3  mips64el  qemu-system-mips64el  loongson3-virt  Loongson-3A1000   1  virtio  vda  virtio virtio_ring virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk
'

# Sets what is known about a kernel: kernel, kernel_dir, ... Without a name, the target's usual one.
select_kernel() {
    local row
    row=$(awk -v target="$target" -v name="${1-}" \
        'NF && $2 == target && (name == "" || name == $1) { print; exit }' <<<"$known_kernels")
    [ -n "$row" ] || usage_error "no kernel ${1:+"'$1' "}is known that runs programs for $target"
    read -r kernel _ kernel_qemu kernel_machine kernel_cpu kernel_cpus kernel_disk \
        kernel_disk_name kernel_modules <<<"$row"
    kernel_dir=$build/kernel/$kernel
}

# target_apt PROGRAM ARGS...: apt-get or apt-cache for the target's architecture, with a state of
# its own: neither root nor a foreign architecture on this machine is needed.
target_apt() {
    local state=$build/apt-$debian_arch program=$1
    shift
    "$program" -qq -o "Dir::Etc::SourceList=$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status" \
        -o "Dir::Cache=$state/cache" -o "APT::Sandbox::User=$(id -un)" \
        -o "APT::Architecture=$debian_arch" -o "APT::Architectures=$debian_arch" \
        -o Acquire::Languages=none "$@"
}

# fetch_debs DIR NAME...: the packages' files, without what they depend on.
fetch_debs() {
    local dir=$1 state=$build/apt-$debian_arch
    shift
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$dir"
    debian_sources deb >"$state/sources.list"
    : >"$state/status" # no package is installed
    target_apt apt-get update || die "cannot fetch the list of Debian's $debian_arch packages"
    local name names=()
    for name; do
        # The kernel's name without a version stands for a package that depends on the newest one.
        case $name in
            linux-image-*) name=$(target_apt apt-cache depends "$name" |
                awk '$1 == "Depends:" { print $2; exit }') ;;
        esac
        names+=("$name")
    done
    (cd "$dir" && target_apt apt-get download "${names[@]}") ||
        die "cannot fetch the $debian_arch packages ${names[*]}"
}

# build/kernel/KERNEL/{vmlinux,busybox,modules/}.
fetch_kernel() {
    local recipe="1 $suite linux-image-$kernel busybox-static $kernel_modules"
    up_to_date "$kernel_dir" "$recipe" && return
    say "fetching the kernel $kernel"
    local temp=$kernel_dir.new module
    rm -rf "$temp"
    mkdir -p "$temp/modules" "$temp/unpacked"
    fetch_debs "$temp/debs" "linux-image-$kernel" busybox-static
    for module in "$temp"/debs/*.deb; do
        dpkg-deb --fsys-tarfile "$module" | tar -x -C "$temp/unpacked" --no-same-owner
    done
    mv "$temp"/unpacked/boot/vmlinu* "$temp/vmlinux"
    mv "$temp/unpacked/bin/busybox" "$temp/busybox"
    for module in $kernel_modules; do
        find "$temp/unpacked/lib/modules" -name "$module.ko" -exec mv -t "$temp/modules" {} +
        [ -e "$temp/modules/$module.ko" ] || die "the kernel $kernel has no module $module"
    done
    rm -rf "$temp/debs" "$temp/unpacked"
    printf '%s\n' "$recipe" >"$temp/.made-from"
    publish "$temp" "$kernel_dir"
}
