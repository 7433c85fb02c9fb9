/* Counts the calls of functions, and prints the counts at the program's end.
 *
 *     mips64el-linux-gnuabi64-gcc -O2 -shared -fPIC -I PREFIX/include call_counter.c \
 *         -o call_counter.so
 *     COUNT='parse_*' mipstrace record --plugin ./call_counter.so ./prog
 */
#include <mipstrace/fgraph.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place for each function, found by its number. Threads race for those that are free. */
#define PLACES 4096

static struct {
    _Atomic uint32_t position; /* 0: free */
    _Atomic uintptr_t func;
    atomic_ulong calls;
} places[PLACES];
static atomic_ulong not_counted; /* no place was left */

static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                    struct ftrace_regs* regs) {
    (void)ops, (void)regs;
    uint32_t at = call->position / 4 * 2654435761u % PLACES;
    for (int tries = 0; tries < PLACES; tries++, at = (at + 1) % PLACES) {
        uint32_t holds = 0;
        if (atomic_compare_exchange_strong(&places[at].position, &holds, call->position))
            places[at].func = call->func;
        else if (holds != call->position)
            continue;
        places[at].calls++;
        return 0; /* no need to hear of the return */
    }
    not_counted++;
    return 0;
}

static struct fgraph_ops ops = {.size = sizeof ops, .entryfunc = on_entry, .name = "call_counter"};

__attribute__((constructor)) static void start(void) {
    ops.filter = getenv("COUNT"); /* null: every function */
    const int error = register_ftrace_graph(&ops);
    if (error != 0) fprintf(stderr, "call_counter: not registered: %s\n", strerror(-error));
}

__attribute__((destructor)) static void finish(void) {
    unregister_ftrace_graph(&ops);
    for (int i = 0; i < PLACES; i++) {
        if (places[i].position != 0)
            fprintf(stderr, "call_counter: %#lx %lu\n", (unsigned long)places[i].func,
                    places[i].calls);
    }
    if (not_counted != 0) fprintf(stderr, "call_counter: %lu not counted\n", not_counted);
}
