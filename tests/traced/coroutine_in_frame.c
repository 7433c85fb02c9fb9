//! libc: glibc, because musl has no makecontext
// A coroutine's stack is an array in the frame of a function of the thread that runs it, once more
// at the same place in a second call; calls of the thread itself go below it in between.
#include <stdio.h>
#include <ucontext.h>

#include "traced.h"

static ucontext_t main_context, other_context;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int deep(int n) {
    volatile char room[2048];
    room[0] = (char)n;
    return n == 0 ? leaf(room[0]) : deep(n - 1) + room[0];
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
KEEP static int holder(int first) {
    char stack[16384];
    getcontext(&other_context);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = sizeof stack;
    other_context.uc_link = &main_context;
    makecontext(&other_context, coroutine, 0);
    for (int i = first; i < first + 3; i++) {
        printf("main %d\n", resume(i));
        printf("deep %d\n", deep(3));
    }
    return first;
}

int main(void) {
    printf("%d\n", holder(10) + holder(20));
    printf("deep %d\n", deep(10));
    return 0;
}
