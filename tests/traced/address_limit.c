//! flags: -pthread
//! graph: none
//! lost: no_memory=?
// RLIMIT_AS leaves threads their stacks, and the tracer no room for what it keeps of them: their
// calls are counted, and the program goes on. qemu-user knows no such limit, and there all is
// recorded.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "traced.h"

enum { kThreads = 8, kCalls = 100, kStack = 256 * 1024 };

static char stacks[kThreads][kStack] __attribute__((aligned(65536)));
static pthread_barrier_t barrier;

KEEP static long in_main(long a) {
    return a + 1;
}
KEEP static long in_thread(long a) {
    return a + 1;
}
KEEP static void* work(void* unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    long sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = in_thread(sum);
    pthread_barrier_wait(&barrier);
    return (void*)sum;
}

int main(void) {
    long sum = in_main(0);
    void* volatile room = malloc(100000);  // of the heap, for pthread_create and printf
    free(room);
    const struct rlimit none = {0, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &none);
    pthread_barrier_init(&barrier, NULL, kThreads);
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        if (pthread_attr_setstack(&attributes, stacks[i], kStack) != 0) return 2;
        if (pthread_create(&threads[i], &attributes, work, NULL) != 0) return 1;
    }
    for (int i = 0; i < kThreads; i++) {
        void* result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    for (int i = 0; i < kCalls; i++)
        sum = in_main(sum);
    printf("%ld\n", sum);
    fprintf(stderr, "calls: in_main %d\n", kCalls + 1);
    return 0;
}
