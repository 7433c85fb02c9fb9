//! flags: -lunwind
//! environment: QEMU_CPU=Loongson-3A4000
//! targets: mips64el, because only a CPU for it allows the unaligned loads of libunwind
// A program that walks its stack with libunwind: its walk may end at the caller of a traced
// function, where it needs what libunwind lacks on MIPS, but it does end, and the program goes on.
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdio.h>

#include "traced.h"

// The name of the innermost function, and whether the walk came to an end.
KEEP UNTRACED static void walk(void) {
    unw_context_t context;
    unw_cursor_t cursor;
    unw_word_t offset;
    char name[64];
    unw_getcontext(&context);
    unw_init_local(&cursor, &context);
    int step = unw_step(&cursor);
    unw_get_proc_name(&cursor, name, sizeof name, &offset);
    for (int i = 0; i < 100 && step > 0; i++)
        step = unw_step(&cursor);
    printf("called by %s, end: %d\n", name, step == 0);
}
KEEP int leaf(int a) {
    walk();
    return a + 1;
}
KEEP int inner(int a) {
    return leaf(a) + 1;
}
KEEP int outer(int a) {
    return inner(a) + 1;
}

int main(void) {
    printf("%d\n", outer(1));
    return 0;
}
