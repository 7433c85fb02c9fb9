//! libc: glibc, because musl has no makecontext
// A coroutine is begun in one thread and goes on in another after the first has ended, with calls
// open that were made in the first; the second has made no traced call before.
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>

#include "traced.h"

static ucontext_t coroutine, outside;
static char stack[65536];

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int suspend(int a) {
    swapcontext(&coroutine, &outside);
    return leaf(a);
}
KEEP static int inner(int a) {
    return suspend(a) + 1;
}
KEEP static void body(void) {
    printf("body %d\n", inner(1));
    printf("body %d\n", inner(2));
}
KEEP static void start(void) {
    swapcontext(&outside, &coroutine);
    __asm__ volatile("");
}

__attribute__((patchable_function_entry(0), no_instrument_function)) static void* first(
    void* unused) {
    (void)unused;
    start();
    return NULL;
}
__attribute__((patchable_function_entry(0), no_instrument_function)) static void* second(
    void* unused) {
    (void)unused;
    swapcontext(&outside, &coroutine);
    swapcontext(&outside, &coroutine);
    return NULL;
}

int main(void) {
    pthread_t thread;
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    coroutine.uc_link = &outside;
    makecontext(&coroutine, body, 0);
    pthread_create(&thread, NULL, first, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, second, NULL);
    pthread_join(thread, NULL);
    return 0;
}
