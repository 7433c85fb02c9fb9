//! flags: -pthread -fno-optimize-sibling-calls
//! graph: none
//! libc: glibc, because with musl its output is another one each time
// Threads that are cancelled at any instruction, those of the tracer among them, in the middle of
// calls: each runs its cleanup handler and ends.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "traced.h"

enum { kThreads = 200 };

static sem_t running;
static int cleaned_up;  // by one thread at a time

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int inner(int a) {
    return leaf(a) + leaf(a + 1);
}
KEEP static int outer(int a) {
    return inner(a) + leaf(a);
}
KEEP static void clean_up(void* argument) {
    cleaned_up += leaf(*(int*)argument);
}
KEEP static void* work(void* argument) {
    int zero = 0;
    volatile int sum = 0;
    pthread_cleanup_push(clean_up, &zero);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    sem_post(&running);
    for (;;)
        sum += outer(1);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    int cancelled = 0;
    sem_init(&running, 0, 0);
    for (int i = 0; i < kThreads; i++) {
        pthread_t thread;
        void* result;
        pthread_create(&thread, NULL, work, NULL);
        sem_wait(&running);
        for (int j = 0; j < i % 7; j++)
            leaf(j);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        cancelled += result == PTHREAD_CANCELED;
    }
    printf("%d %d\n", cancelled, cleaned_up);
    fprintf(stderr, "calls: clean_up %d\n", kThreads);
    return 0;
}
