//! flags: -pthread
// 64 threads at full speed, all at once, and each call of each is there.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

enum { kThreads = 64, kCalls = 5000 };

static pthread_barrier_t start;

KEEP static long inner(long a) {
    return a + 1;
}
KEEP static long outer(long a) {
    return inner(inner(a));
}
KEEP static void* work(void* argument) {
    long* value = argument;
    pthread_barrier_wait(&start);
    for (int i = 0; i < kCalls; i++)
        *value = outer(*value);
    return NULL;
}

int main(void) {
    pthread_t threads[kThreads];
    long values[kThreads] = {0}, total = 0;
    pthread_barrier_init(&start, NULL, kThreads);
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, &values[i]);
    for (int i = 0; i < kThreads; i++) {
        pthread_join(threads[i], NULL);
        total += values[i];
    }
    printf("%ld\n", total);
    return 0;
}
