//! libc: glibc, because musl has no makecontext
// Coroutines on neighbouring stacks in one mapping take turns, with calls open on each, often
// enough that the gaps which the switches leave have to be closed.
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "traced.h"

enum { COROUTINES = 4, TURNS = 5000, STACK = 16384 };

static ucontext_t scheduler, contexts[COROUTINES];
static int current;
static long sum;

KEEP static void yield(void) {
    swapcontext(&contexts[current], &scheduler);
    __asm__ volatile("");
}
KEEP static void step(int i) {
    sum += i;
    yield();
    __asm__ volatile("");
}
KEEP static void body(int number) {
    for (int i = 0; i < TURNS; i++)
        step(number * i);
}
KEEP static void resume(int number) {
    current = number;
    swapcontext(&scheduler, &contexts[number]);
    __asm__ volatile("");
}

int main(void) {
    char* stacks =
        mmap(NULL, COROUTINES * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < COROUTINES; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks + i * STACK;
        contexts[i].uc_stack.ss_size = STACK;
        contexts[i].uc_link = &scheduler;
        makecontext(&contexts[i], (void (*)(void))body, 1, i + 1);
    }
    for (int turn = 0; turn <= TURNS; turn++) {
        for (int i = 0; i < COROUTINES; i++)
            resume((i + turn) % COROUTINES);
    }
    printf("%ld\n", sum);
    return 0;
}
