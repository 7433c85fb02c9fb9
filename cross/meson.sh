# Meson's build folders. Sourced, never run.
# shellcheck shell=bash disable=SC2154 # root, build, ... are set by lib.sh

# meson_build DIR "WHAT..." ARGS...: sets up when there is nothing yet or when it was set up another
# way, and builds WHAT is installed. Tests are built by `meson test`.
meson_build() {
    local dir=$1 what recipe
    read -ra what <<<"$2"
    shift 2
    recipe="$(printf '%s\n' "$@") $(cat "$root"/cross/*.ini "$root/meson_options.txt" | cksum)"
    if ! up_to_date "$dir" "$recipe"; then
        rm -rf "$dir"
        meson setup "$dir" "$root" --prefix="$dist" "$@" >"$dir.log" 2>&1 || {
            tail -n 6 "$dir.log" >&2
            die "meson setup failed; see $dir.log"
        }
        printf '%s\n' "$recipe" >"$dir/.made-from"
    fi
    ninja -C "$dir" --quiet "${what[@]}" >"$dir.log" 2>&1 || {
        cat "$dir.log" >&2
        die "the build failed"
    }
}
