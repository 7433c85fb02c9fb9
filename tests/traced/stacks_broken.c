// Stacks are recorded of a thread whose stack is no stack: its return addresses lead nowhere, what
// is above it is not mapped, or it is the end of what is.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "traced.h"

static int probes;
KEEP void probe(void) {
    probes++;
}

// Where a function has stored its return address, which it finds by the complement.
KEEP UNTRACED static uintptr_t* slot_of(uintptr_t* frame, uintptr_t complement) {
    while (*frame != ~complement)
        frame++;
    return frame;
}
#define MY_SLOT slot_of(__builtin_frame_address(0), ~(uintptr_t)__builtin_return_address(0))

// Calls `probe` while its own return address on the stack is `garbage`.
KEEP UNTRACED void with_garbage(uintptr_t garbage) {
    uintptr_t* const slot = MY_SLOT;
    const uintptr_t complement = ~*slot;
    *slot = garbage;
    probe();
    *slot = ~complement;
}

// The same with all from there on, a part of the caller's frame included.
KEEP UNTRACED void overwritten(unsigned char with) {
    unsigned char kept[256];
    unsigned char* const above = (unsigned char*)MY_SLOT;
    memcpy(kept, above, sizeof kept);
    memset(above, with, sizeof kept);
    probe();
    memcpy(above, kept, sizeof kept);
}

KEEP void traced(uintptr_t garbage) {
    with_garbage(garbage);
    probe();
}

KEEP UNTRACED void in_room(int a) {
    volatile char room[2048];
    room[a] = 1;
    overwritten(0xff);
    overwritten(0x7b);
    (void)room[a];
}

static ucontext_t main_context, other;
KEEP void coroutine(void) {
    probe();
    with_garbage(0x7ffffff0);
    swapcontext(&other, &main_context);
}

int main(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* const gone = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const data = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uintptr_t all[] = {0,
                             1,
                             4,
                             (uintptr_t)-4,
                             (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1),
                             (uintptr_t)gone,
                             (uintptr_t)gone + page,
                             (uintptr_t)data,
                             (uintptr_t)data + 4,
                             (uintptr_t)data + page,
                             (uintptr_t)&main_context,
                             (uintptr_t)probe,
                             (uintptr_t)printf,
                             (uintptr_t)traced + 2};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        traced(all[i]);
    in_room(1);
    // Nothing is mapped above its end.
    const size_t size = 16 * page;
    char* const stack =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(stack + size, page, PROT_NONE);
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = size;
    other.uc_link = NULL;
    makecontext(&other, coroutine, 0);
    swapcontext(&main_context, &other);
    printf("%d\n", probes);
    return 0;
}
