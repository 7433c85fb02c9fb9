//! environment: MIPSTRACE_BUFFER=256K MIPSTRACE_SNAPSHOT_SIGNAL=WINCH
//! flags: -pthread
//! graph: none
//! overwritten: *
//! snapshots: 4
// More calls than the buffer holds, and snapshots on the way: one on a small signal stack, one in a
// thread that waits in a system call. Without a handler SIGWINCH does nothing.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traced.h"

enum { kNoise = 60000, kCalls = 1000 };

static int ends[2];

KEEP static long noise(long a) {
    return a ^ 1;
}
KEEP static long first(long a) {
    return a + 1;
}
KEEP static long second(long a) {
    return a + 2;
}
KEEP static long last(long a) {
    return a + 3;
}
KEEP static long phase(long (*step)(long), long sum) {
    for (int i = 0; i < kNoise; i++)
        sum = noise(sum);
    for (int i = 0; i < kCalls; i++)
        sum = step(sum);
    return sum;
}

KEEP static void* wait_for_byte(void* unused) {
    char byte = 0;
    const ssize_t got = read(ends[0], &byte, 1);
    printf("read %zd %c\n", got, byte);
    return unused;
}

int main(void) {
    long sum = phase(first, 0);
    errno = 77;
    raise(SIGWINCH);
    printf("errno %d\n", errno);
    sum = phase(second, sum);
    raise(SIGWINCH);
    sum = phase(last, sum);

    pthread_t thread;
    if (pipe(ends) != 0 || pthread_create(&thread, NULL, wait_for_byte, NULL) != 0) return 1;
    // Nothing may be touched below it, either.
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* guarded =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded == MAP_FAILED || mprotect(guarded, page, PROT_NONE) != 0) return 1;
    stack_t small = {.ss_sp = guarded + page, .ss_size = MINSIGSTKSZ};
    sigaltstack(&small, NULL);
    raise(SIGWINCH);
    pthread_kill(thread, SIGWINCH);
    if (write(ends[1], "x", 1) != 1) return 1;
    pthread_join(thread, NULL);
    printf("%ld\n", sum);
    fprintf(stderr, "snapshot 1 calls: first %d\n", kCalls);
    fprintf(stderr, "snapshot 1 calls: second 0\n");
    fprintf(stderr, "snapshot 2 calls: first 0\n");
    fprintf(stderr, "snapshot 2 calls: second %d\n", kCalls);
    fprintf(stderr, "snapshot 3 calls: second 0\n");
    fprintf(stderr, "snapshot 3 calls: last %d\n", kCalls);
    fprintf(stderr, "calls: second 0\n");
    fprintf(stderr, "calls: last %d\n", kCalls);
    fprintf(stderr, "calls: wait_for_byte 1\n");
    return 0;
}
