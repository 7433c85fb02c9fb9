//! flags: -pthread -fno-optimize-sibling-calls -Wno-infinite-recursion
//! libc: glibc, because musl calls cleanup handlers before it leaves the stack
// Threads that end in the middle of traced calls: by pthread_exit, and cancelled.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

static sem_t ready;

KEEP static void at_end(void* argument) {
    printf("cleaned up %s\n", (const char*)argument);
}
KEEP static int leave(int depth) {
    if (depth == 0) pthread_exit((void*)17);
    return leave(depth - 1) + 1;
}
KEEP static int wait_for_ever(int a) {
    sem_post(&ready);
    for (;;)
        pause();
    return a;
}
KEEP static void* exits(void* argument) {
    pthread_cleanup_push(at_end, argument);
    leave(2);
    pthread_cleanup_pop(0);
    return NULL;
}
KEEP static void* waits(void* argument) {
    pthread_cleanup_push(at_end, argument);
    wait_for_ever(1);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void* result;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, exits, "the one that exits");
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
    pthread_create(&thread, NULL, waits, "the one that is cancelled");
    sem_wait(&ready);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    return 0;
}
