//! flags: -pthread -rdynamic
//! shared: swap_a.c
//! graph: none
// A user's callback loads a library, while another thread waits to unregister that user: neither
// waits for the other for ever.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

#pragma weak register_ftrace_graph
#pragma weak unregister_ftrace_graph

static struct fgraph_ops ops;
static atomic_int inside, going;

UNTRACED static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* user,
                             struct ftrace_regs* regs) {
    (void)call, (void)user, (void)regs;
    inside = 1;
    while (!going) {
    }
    usleep(1000);  // most likely the other thread waits by now; right in any case
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library != NULL) dlclose(library);
    return 0;
}

KEEP static void marker(void) {
    asm volatile("" ::: "memory");
}

static void* unregister(void* argument) {
    (void)argument;
    while (!inside) {
    }
    going = 1;
    unregister_ftrace_graph(&ops);
    return NULL;
}

int main(void) {
    if (register_ftrace_graph != NULL) {
        pthread_t thread;
        ops.size = sizeof ops;
        ops.entryfunc = on_entry;
        ops.filter = "marker";
        if (register_ftrace_graph(&ops) != 0) return 1;
        pthread_create(&thread, NULL, unregister, NULL);
        marker();
        pthread_join(thread, NULL);
    }
    marker();
    printf("%s\n", "both went on");
    fprintf(stderr, "calls: marker %d\n", register_ftrace_graph != NULL ? 2 : 1);
    return 0;
}
