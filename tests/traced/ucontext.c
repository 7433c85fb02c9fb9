//! libc: glibc, because musl has no makecontext
// Two stacks in one thread, switched in the middle of traced calls.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "traced.h"

static ucontext_t main_context, other_context;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int yield(int a) {
    swapcontext(&other_context, &main_context);
    return leaf(a);
}
KEEP static void coroutine(void) {
    for (int i = 0; i < 2; i++)
        printf("coroutine %d\n", yield(i));
}
KEEP static int resume(int a) {
    swapcontext(&main_context, &other_context);
    return leaf(a);
}

int main(void) {
    const size_t size = 65536;
    char* stack = malloc(size);
    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = size;
    other_context.uc_link = &main_context;
    makecontext(&other_context, coroutine, 0);
    for (int i = 10; i < 13; i++)
        printf("main %d\n", resume(i));
    return 0;
}
