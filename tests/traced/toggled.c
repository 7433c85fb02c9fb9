//! flags: -pthread -rdynamic
//! graph: none
//! record: -F main -F recorded
// Sites are switched on and off 10,000 times while 8 threads run through them: nothing that the
// program computes changes, no call that is recorded anyway is lost or doubled, and a user that has
// left is not called.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

#pragma weak register_ftrace_graph
#pragma weak unregister_ftrace_graph

enum { kThreads = 8, kToggles = 10000, kCalls = 100 };

static atomic_int toggling = 1;
static atomic_int failures;
static atomic_long recorded_calls, entries, returns;

UNTRACED static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                             struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    entries++;
    return 1;
}
UNTRACED static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                               struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    returns++;
}

KEEP static long inner(long a, double b) {
    return a + (long)b;
}
KEEP static long outer(long a) {
    return inner(a, 2.0) - 1;
}
KEEP static long recorded(long a) {
    long sum = a;
    for (int i = 0; i < kCalls; i++)
        sum = outer(sum);
    return sum;
}

KEEP static void* run(void* unused) {
    do {
        if (recorded(5) != 5 + kCalls) failures++;
        recorded_calls++;
    } while (toggling);
    return unused;
}

static void toggle(void) {
    struct fgraph_ops ops = {.size = sizeof ops, .entryfunc = on_entry, .retfunc = on_return};
    for (int i = 0; i < kToggles; i++) {
        if (register_ftrace_graph(&ops) != 0) failures++;
        if (unregister_ftrace_graph(&ops) != 0) failures++;
    }
    if (returns > entries) failures++;
    const long calls = entries;
    recorded(0);
    recorded_calls++;
    if (entries != calls) failures++;
}

int main(void) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    if (register_ftrace_graph != NULL) toggle();
    toggling = 0;
    for (int i = 0; i < kThreads; i++)
        pthread_join(threads[i], NULL);
    printf("%d failures\n", failures);
    fprintf(stderr, "calls: recorded %ld\n", recorded_calls);
    fprintf(stderr, "calls: outer 0\n");
    return 0;
}
