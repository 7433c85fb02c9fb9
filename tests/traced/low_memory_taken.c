//! flags: -rdynamic
//! shared: swap_a.c
//! targets: mips64el mips64 mips64r6el, because with pointers of 32 bits no memory is left then
// A library comes when no page below 2 GiB is left: it is not traced, which is said, and works.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "traced.h"

#define PIECE 0x10000ul

UNTRACED static void take(uintptr_t at, size_t size) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void* taken = mmap((void*)at, size, PROT_NONE, flags, -1, 0);
    if ((uintptr_t)taken == at) return;
    if (taken != MAP_FAILED) munmap(taken, size);  // qemu-user takes the address for a hint
    if (size == PIECE) return;
    take(at, size / 2);
    take(at + size / 2, size / 2);
}
KEEP static int before(int a) {
    return a + 1;
}
KEEP static int after(int a) {
    return a + 1;
}

int main(void) {
    printf("%d\n", before(1));
    take(PIECE, PIECE);
    for (uintptr_t size = PIECE; size < 0x80000000ul; size *= 2)
        take(size, size);
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library == NULL) return 1;
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    printf("%d\n", run(1));
    printf("%d\n", after(1));
    fprintf(stderr, "calls: swap_run 0\n");
    fprintf(stderr, "says: .*: no page below 2 GiB for libswap_a.so, it is not traced\n");
    return 0;
}
