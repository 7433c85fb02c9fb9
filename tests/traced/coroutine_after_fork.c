//! flags: -pthread
//! libc: glibc, because musl has no makecontext
// Coroutines that a thread began that has ended, and one that still lives, go on in a child of the
// process, in a thread that has made calls of its own; and in the parent.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "traced.h"

#define UNTRACED __attribute__((patchable_function_entry(0), no_instrument_function))

static ucontext_t coroutine[2], outside;
static char stack[2][65536];
static sem_t begun, ended;

KEEP static int suspend(int i) {
    swapcontext(&coroutine[i], &outside);
    return i + 1;
}
KEEP static int inner(int i) {
    return suspend(i) + 1;
}
KEEP static void body(int i) {
    printf("body %d\n", inner(i));
}
KEEP static int leaf(int a) {
    return a + 1;
}

UNTRACED static void* begin_one(void* unused) {
    swapcontext(&outside, &coroutine[0]);
    return unused;
}
UNTRACED static void* begin_another(void* unused) {
    swapcontext(&outside, &coroutine[1]);
    sem_post(&begun);
    sem_wait(&ended);
    return unused;
}
UNTRACED static void* resume(void* which) {
    leaf(1);
    leaf(2);
    swapcontext(&outside, which);
    leaf(3);
    return NULL;
}
UNTRACED static void in_a_thread(void* (*function)(void*), void* argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, argument);
    pthread_join(thread, NULL);
}
// In the child of a fork.
UNTRACED static void in_a_child(void (*run)(void*(void*), void*), int which) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run(resume, &coroutine[which]);
        fflush(stdout);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("status %d\n", status);
}
// A child of many threads gets none of its own: QEMU's emulation of them ends there.
UNTRACED static void in_this_thread(void* (*function)(void*), void* argument) {
    function(argument);
}

int main(void) {
    pthread_t living;
    sem_init(&begun, 0, 0);
    sem_init(&ended, 0, 0);
    for (int i = 0; i < 2; i++) {
        getcontext(&coroutine[i]);
        coroutine[i].uc_stack.ss_sp = stack[i];
        coroutine[i].uc_stack.ss_size = sizeof stack[i];
        coroutine[i].uc_link = &outside;
        makecontext(&coroutine[i], (void (*)(void))body, 1, i);
    }
    in_a_thread(begin_one, NULL);
    in_a_child(in_a_thread, 0);
    pthread_create(&living, NULL, begin_another, NULL);
    sem_wait(&begun);
    in_a_child(in_this_thread, 1);
    in_a_thread(resume, &coroutine[0]);
    in_a_thread(resume, &coroutine[1]);
    sem_post(&ended);
    pthread_join(living, NULL);
    return 0;
}
