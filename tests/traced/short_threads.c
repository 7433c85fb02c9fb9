//! flags: -pthread
//! graph: none
//! disk: 64M
//! cases: O2 pie
// Threads come and go, and neither memory nor the disk keeps what they took: each has a few events
// in a chunk of 64 KiB, the rest of which is a hole.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

enum { kThreads = 10000, kFirst = 200, kMost = 1 << 20 };

KEEP static long leaf(long a) {
    return a + 1;
}
KEEP static void* work(void* argument) {
    return (void*)leaf((long)argument);
}

// Of this program: /proc/self/statm is an emulator's own.
UNTRACED static unsigned long mapped_bytes(void) {
    unsigned long sum = 0, begin, end;
    FILE* file = fopen("/proc/self/maps", "r");
    while (file != NULL && fscanf(file, "%lx-%lx%*[^\n]", &begin, &end) == 2)
        sum += end - begin;
    if (file != NULL) fclose(file);
    return sum;
}

int main(void) {
    long sum = 0;
    unsigned long before = 0;
    for (int i = 0; i < kThreads; i++) {
        if (i == kFirst) before = mapped_bytes();
        pthread_t thread;
        void* result;
        if (pthread_create(&thread, NULL, work, (void*)(long)i) != 0) return 1;
        pthread_join(thread, &result);
        sum += (long)result;
    }
    const long grown = (long)(mapped_bytes() - before);
    printf("%ld, %s\n", sum, before != 0 && grown < kMost ? "no growth" : "growth");
    fprintf(stderr, "grown by %ld bytes\n", grown);
    fprintf(stderr, "calls: leaf %d\n", kThreads);
    fprintf(stderr, "calls: work %d\n", kThreads);
    return 0;
}
