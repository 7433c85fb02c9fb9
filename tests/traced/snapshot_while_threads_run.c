//! environment: MIPSTRACE_BUFFER=1M MIPSTRACE_SNAPSHOT_SIGNAL=WINCH
//! flags: -pthread
//! graph: none
//! overwritten: *
// Threads that go round in the buffer while snapshots are taken, two of them at once as it happens;
// each thread's newest calls are there, and short threads find a chunk each.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

enum { kThreads = 4, kCalls = 60000, kLast = 100, kShort = 100 };

static pthread_barrier_t barrier;

KEEP static long inner(long a) {
    return a + 1;
}
KEEP static long outer(long a) {
    return inner(a);
}
KEEP static long at_last(long a) {
    return a + 1;
}
KEEP static long brief(long a) {
    return a + 1;
}

KEEP static void* work(void* sum) {
    long* a = sum;
    for (int i = 0; i < kCalls; i++) {
        *a = outer(*a);
        if (i % (kCalls / 4) == 0) kill(getpid(), SIGWINCH);
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < kLast; i++)
        *a = at_last(*a);
    pthread_barrier_wait(&barrier);
    return NULL;
}
KEEP static void* work_shortly(void* sum) {
    long* a = sum;
    *a = brief(*a);
    return NULL;
}

int main(void) {
    pthread_t threads[kThreads], other;
    long sums[kThreads] = {0}, sum = 0;
    for (int i = 0; i < kShort; i++) {
        pthread_create(&other, NULL, work_shortly, &sum);
        pthread_join(other, NULL);
    }
    printf("%ld\n", sum);
    pthread_barrier_init(&barrier, NULL, kThreads);
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, &sums[i]);
    for (int i = 0; i < kThreads; i++) {
        pthread_join(threads[i], NULL);
        printf("%ld\n", sums[i]);
    }
    fprintf(stderr, "calls: at_last %d\n", kThreads * kLast);
    fprintf(stderr, "calls: brief 0\n");
    return 0;
}
