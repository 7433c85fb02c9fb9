// A user in a library, which user_counts.c loads and unloads.
#include <stdatomic.h>
#include <stddef.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

static atomic_uint calls;

UNTRACED static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                             struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    calls++;
    return 1;
}
UNTRACED static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                               struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    calls++;
}

struct fgraph_ops part_ops = {
    .size = sizeof part_ops,
    .entryfunc = on_entry,
    .retfunc = on_return,
    .filter = "step_*",
    .private_data = &calls,
};
