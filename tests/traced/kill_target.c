//! flags: -pthread
//! graph: none
// Makes traced calls for ever, or few of them without an argument, and notes in a shared file how
// many have returned.
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traced.h"

enum { kThreads = 3 };

// The shared file: one page. The test reads it.
struct Shared {
    long pid;
    volatile long returned[kThreads + 1];  // the main thread's is the last
};
static struct Shared* shared;
static long calls;

KEEP static long inner(long a) {
    return a + 1;
}
KEEP static long outer(long a) {
    return inner(a);
}
KEEP static void* work(void* argument) {
    volatile long* returned = argument;
    for (long i = 0; i < calls; i++) {
        outer(i);
        *returned = *returned + 1;
    }
    return NULL;
}

int main(int argc, char** argv) {
    static struct Shared unshared;
    shared = &unshared;
    calls = 10;
    if (argc == 2) {
        int fd = open(argv[1], O_RDWR);
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (shared == MAP_FAILED) return 1;
        calls = LONG_MAX;
    }
    shared->pid = getpid();
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, (void*)&shared->returned[i]);
    work((void*)&shared->returned[kThreads]);
    for (int i = 0; i < kThreads; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i <= kThreads; i++)
        printf("%ld\n", shared->returned[i]);
    return 0;
}
