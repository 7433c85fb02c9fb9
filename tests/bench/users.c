/* As many users of the function graph API as the environment says, with the flags that it says, all
 * of which want every call of fib and its return. */
#include <mipstrace/fgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const char* flags = getenv("BENCH_FLAGS");
    if (flags == NULL) flags = "";
    for (int i = 0; count != NULL && i < atoi(count) && i < FGRAPH_MAX_USERS; i++) {
        users[i] = (struct fgraph_ops){
            .size = sizeof users[i], .entryfunc = enter, .retfunc = leave, .filter = "fib"};
        if (strstr(flags, "no-fp") != NULL) users[i].flags |= FGRAPH_OPS_FL_NO_FP;
        if (strstr(flags, "regs") != NULL) users[i].flags |= FGRAPH_OPS_FL_REGS;
        int error = register_ftrace_graph(&users[i]);
        if (error != 0) {
            fprintf(stderr, "user %d: error %d\n", i, error);
            exit(1);
        }
    }
}
