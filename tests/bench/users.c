/* As many users of the function graph API as the environment says, all of which want every call of
 * fib and its return. */
#include <mipstrace/fgraph.h>
#include <stdio.h>
#include <stdlib.h>

static struct fgraph_ops users[FGRAPH_MAX_USERS];

static int enter(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                 struct ftrace_regs* regs) {
    (void)call;
    (void)ops;
    (void)regs;
    return 1;
}

static void leave(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                  struct ftrace_regs* regs) {
    (void)call;
    (void)ops;
    (void)regs;
}

__attribute__((constructor)) static void register_users(void) {
    const char* count = getenv("BENCH_USERS");
    for (int i = 0; count != NULL && i < atoi(count) && i < FGRAPH_MAX_USERS; i++) {
        users[i] = (struct fgraph_ops){
            .size = sizeof users[i], .entryfunc = enter, .retfunc = leave, .filter = "fib"};
        int error = register_ftrace_graph(&users[i]);
        if (error != 0) {
            fprintf(stderr, "user %d: error %d\n", i, error);
            exit(1);
        }
    }
}
