//! environment: MIPSTRACE_BUFFER=256K
//! flags: -pthread
//! graph: none
//! lost: no_space=*
//! overwritten: *
// More threads at once than the buffer has chunks: some lose all, the others keep their newest
// calls.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

enum { kThreads = 8, kCalls = 20000 };

static pthread_barrier_t barrier;

KEEP static long step(long a) {
    return a + 1;
}
KEEP static void* work(void* sum) {
    long* a = sum;
    *a = step(*a);
    pthread_barrier_wait(&barrier);  // each has a chunk by now, or has found none
    for (int i = 0; i < kCalls; i++)
        *a = step(*a);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t threads[kThreads];
    long sums[kThreads] = {0};
    pthread_barrier_init(&barrier, NULL, kThreads);
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, &sums[i]);
    for (int i = 0; i < kThreads; i++) {
        pthread_join(threads[i], NULL);
        printf("%ld\n", sums[i]);
    }
    return 0;
}
