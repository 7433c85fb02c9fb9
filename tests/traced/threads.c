//! flags: -pthread -fno-optimize-sibling-calls
// Each thread has a stack of calls of its own, and each call is counted once.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

enum { kThreads = 4 };

KEEP static long step(long a) {
    return a + 1;
}
KEEP static long down(int depth, long a) {
    return depth == 0 ? step(a) : down(depth - 1, a) + 1;
}

KEEP static void* work(void* argument) {
    const long number = (long)argument;
    long sum = 0;
    for (long i = 0; i < 5000 * (number + 1); i++)
        sum = step(sum);
    return (void*)down((int)number + 2, sum);
}

int main(void) {
    pthread_t threads[kThreads];
    for (long i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, (void*)i);
    step(0);
    for (long i = 0; i < kThreads; i++) {
        void* result;
        pthread_join(threads[i], &result);
        printf("%ld\n", (long)result);
    }
    return 0;
}
