//! flags: -pthread
//! apart: on_signal
// Signals for threads that make traced calls, as fast as they can be sent; at least one for each.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>

#include "traced.h"

enum { kThreads = 3, kCalls = 20000 };

static _Thread_local volatile long seen;
static volatile int running = kThreads;

KEEP static long handler_step(long a) {
    return a + 1;
}
KEEP static void on_signal(int number) {
    (void)number;
    seen = handler_step(seen);
}
KEEP static double inner(long a, double b) {
    return (double)a + b;
}
KEEP static double outer(long a, double b) {
    return inner(a, b) + 0.5;
}

struct Work {
    pthread_t thread;
    double sum;
    long seen;
};

KEEP static void* work(void* argument) {
    struct Work* it = argument;
    while (seen == 0)
        sched_yield();
    for (long i = 0; i < kCalls; i++)
        it->sum = outer(i & 1, it->sum);
    __atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    it->seen = seen;
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_signal;
    sigaction(SIGUSR1, &action, NULL);
    static struct Work works[kThreads];
    for (int i = 0; i < kThreads; i++)
        pthread_create(&works[i].thread, NULL, work, &works[i]);
    while (running != 0) {
        for (int i = 0; i < kThreads; i++)
            pthread_kill(works[i].thread, SIGUSR1);
    }
    long total = 0;
    for (int i = 0; i < kThreads; i++) {
        pthread_join(works[i].thread, NULL);
        printf("%.1f\n", works[i].sum);
        total += works[i].seen;
    }
    fprintf(stderr, "calls: on_signal %ld\n", total);
    fprintf(stderr, "calls: handler_step %ld\n", total);
    return 0;
}
