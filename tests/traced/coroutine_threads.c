//! libc: glibc, because musl has no makecontext
// A coroutine that is resumed by two threads in turn: its calls return in another thread than they
// were made in.
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>

#include "traced.h"

static ucontext_t coroutine;
static ucontext_t* back;
static char stack[65536];
static pthread_barrier_t turn;
static int done;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void yield(void) {
    swapcontext(&coroutine, back);
    __asm__ volatile("");
}
KEEP static void body(void) {
    for (;;) {
        done = leaf(done);
        yield();
    }
}
KEEP static void resume(void) {
    ucontext_t here;
    back = &here;
    swapcontext(&here, &coroutine);
    __asm__ volatile("");
}
KEEP static void take_turns(int mine) {
    for (int i = 0; i < 20; i++) {
        pthread_barrier_wait(&turn);
        if (i % 2 == mine) resume();
        pthread_barrier_wait(&turn);
    }
}
static void* other(void* unused) {
    (void)unused;
    take_turns(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&turn, NULL, 2);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    makecontext(&coroutine, body, 0);
    pthread_create(&thread, NULL, other, NULL);
    take_turns(0);
    pthread_join(thread, NULL);
    printf("%d\n", done);
    return 0;
}
