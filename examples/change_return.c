/* Changes what a function returns, to see how the program takes it: every Nth call of FAIL fails.
 *
 *     mips64el-linux-gnuabi64-gcc -O2 -shared -fPIC -I PREFIX/include change_return.c \
 *         -o change_return.so
 *     export FAIL=read_block FAIL_EVERY=10 FAIL_WITH=-1
 *     mipstrace record --plugin ./change_return.so ./prog
 */
#include <mipstrace/fgraph.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long every = 1;
static long value = -1;
static atomic_ulong calls;

/* Only the calls that are to fail need their return seen. */
static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                    struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    return (++calls) % every == 0;
}

static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                      struct ftrace_regs* regs) {
    (void)call, (void)ops;
    ftrace_regs_set_return_value(regs, (unsigned long)value);
}

static struct fgraph_ops ops = {
    .size = sizeof ops, .entryfunc = on_entry, .retfunc = on_return, .name = "change_return"};

static long number(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text != NULL ? strtol(text, NULL, 0) : otherwise;
}

__attribute__((constructor)) static void start(void) {
    ops.filter = getenv("FAIL");
    every = (unsigned long)number("FAIL_EVERY", 1);
    value = number("FAIL_WITH", -1);
    if (ops.filter == NULL || every == 0) {
        fprintf(stderr, "change_return: set FAIL to the function's name, FAIL_EVERY from 1 on\n");
        return;
    }
    const int error = register_ftrace_graph(&ops);
    if (error != 0) fprintf(stderr, "change_return: not registered: %s\n", strerror(-error));
}
