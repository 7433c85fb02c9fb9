// A user that check_control adds to the running program: counts the calls of inner() and tells how
// many there were when it is unloaded.
#include <mipstrace/fgraph.h>
#include <stdio.h>

static long calls;

static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                    struct ftrace_regs* regs) {
    (void)call;
    (void)ops;
    (void)regs;
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return 0;
}

static struct fgraph_ops counter = {
    .size = sizeof counter, .entryfunc = on_entry, .filter = "inner", .name = "inner counter"};

__attribute__((constructor)) static void start(void) {
    register_ftrace_graph(&counter);
}

__attribute__((destructor)) static void stop(void) {
    unregister_ftrace_graph(&counter);
    fprintf(stderr, "counted %ld\n", calls);
}
