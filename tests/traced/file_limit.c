//! lost: no_space=*
//! graph: none
//! flags: -pthread
// The recording meets RLIMIT_FSIZE, at any size: it ends there, which is counted and said, with no
// signal for the program.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

// qemu-user makes files of its own of what it shows of /proc: the least leaves room for these.
enum { kCalls = 20000, kLeast = 16 * 1024, kStep = 24 * 1024, kSizes = 12, kThreads = 30 };

static volatile int signals;

static void on_limit(int number) {
    (void)number;
    signals++;
}
KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int work(int calls) {
    int sum = 0;
    for (int i = 0; i < calls; i++)
        sum = leaf(sum);
    return sum;
}
KEEP static void* in_thread(void* argument) {
    work(10);
    return argument;
}
static void run_threads(void) {
    for (int i = 0; i < kThreads; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, in_thread, NULL);
        pthread_join(thread, NULL);
    }
}

// In a process of its own, whose recording begins below the limit.
static int run_with_limit(rlim_t bytes) {
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    const int ok = work(kCalls) == kCalls;
    run_threads();
    return ok && work(kCalls) == kCalls && signals == 0;
}

int main(void) {
    signal(SIGXFSZ, on_limit);
    for (int i = 0; i < kSizes; i++) {
        const pid_t child = fork();
        if (child == 0) _exit(!run_with_limit(kLeast + (rlim_t)i * kStep));
        int status = 1;
        waitpid(child, &status, 0);
        printf("%d: %s\n", kLeast + i * kStep, status == 0 ? "as ever" : "disturbed");
    }
    return 0;
}
