//! flags: -pthread -Wno-infinite-recursion
//! graph: none
// Threads whose small stacks end, over and over: each handler is on a stack of its own and jumps
// back.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

enum { kThreads = 3, kTimes = 20, kStack = 128 * 1024, kSignalStack = 64 * 1024 };

static __thread sigjmp_buf home;

KEEP static long leaf(long a) {
    return a + 1;
}
KEEP static long deeper(long a) {
    volatile char used[200];
    used[0] = (char)a;
    const long inner = deeper(a + 1);
    return inner + used[0] + leaf(a);
}
static void on_segv(int signal) {
    leaf(signal);
    siglongjmp(home, 1);
}
static void* overflow(void* argument) {
    stack_t stack = {.ss_sp = malloc(kSignalStack), .ss_size = kSignalStack};
    void* const memory = stack.ss_sp;
    sigaltstack(&stack, NULL);
    volatile intptr_t survived = 0;
    while (survived < kTimes) {
        if (sigsetjmp(home, 1) == 0)
            deeper(0);
        else
            survived = leaf(survived);
    }
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(memory);
    return argument != NULL ? (void*)survived : NULL;
}

int main(void) {
    const struct sigaction action = {.sa_handler = on_segv, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const int refused = pthread_attr_setstacksize(&attributes, kStack);
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], &attributes, overflow, threads);
    for (int i = 0; i < kThreads; i++) {
        void* survived = NULL;
        pthread_join(threads[i], &survived);
        printf("%d %ld\n", refused, (long)(intptr_t)survived);
    }
    return 0;
}
