/* How long one function takes: a histogram in powers of two, and the slowest call with its first
 * argument and where it was made.
 *
 *     mips64el-linux-gnuabi64-gcc -O2 -shared -fPIC -I PREFIX/include latency_histogram.c \
 *         -o latency_histogram.so
 *     LATENCY=handle_request mipstrace record --plugin ./latency_histogram.so ./prog
 */
#include <mipstrace/fgraph.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUCKETS 64

struct open_call {
    uint64_t start;
    unsigned long argument;
    uintptr_t caller;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* nobody else's, so it is no danger */
static unsigned long histogram[BUCKETS];
static struct open_call slowest;
static uint64_t slowest_time;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                    struct ftrace_regs* regs) {
    struct open_call* begun = fgraph_reserve_data(call, ops, sizeof *begun);
    if (begun == NULL) return 0;
    *begun = (struct open_call){now(), ftrace_regs_get_argument(regs, 0),
                                ftrace_regs_get_return_address(regs)};
    return 1;
}

static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                      struct ftrace_regs* regs) {
    (void)regs;
    const uint64_t end = now();
    const struct open_call* ended = fgraph_retrieve_data(call, ops, NULL);
    if (ended == NULL) return;
    const uint64_t time = end - ended->start;
    pthread_mutex_lock(&lock);
    histogram[time == 0 ? 0 : 63 - __builtin_clzll(time)]++;
    if (time >= slowest_time) {
        slowest_time = time;
        slowest = *ended;
    }
    pthread_mutex_unlock(&lock);
}

static struct fgraph_ops ops = {
    .size = sizeof ops, .entryfunc = on_entry, .retfunc = on_return, .name = "latency_histogram"};

__attribute__((constructor)) static void start(void) {
    ops.filter = getenv("LATENCY");
    if (ops.filter == NULL) {
        fprintf(stderr, "latency_histogram: set LATENCY to the function's name\n");
        return;
    }
    const int error = register_ftrace_graph(&ops);
    if (error != 0) fprintf(stderr, "latency_histogram: not registered: %s\n", strerror(-error));
}

__attribute__((destructor)) static void finish(void) {
    if (unregister_ftrace_graph(&ops) != 0) return;
    for (int i = 0; i < BUCKETS; i++) {
        if (histogram[i] != 0)
            fprintf(stderr, "latency_histogram: from %llu ns: %lu calls\n", 1ull << i,
                    histogram[i]);
    }
    if (slowest.start != 0)
        fprintf(stderr, "latency_histogram: slowest: %llu ns, argument %#lx, called from %#lx\n",
                (unsigned long long)slowest_time, slowest.argument, (unsigned long)slowest.caller);
}
