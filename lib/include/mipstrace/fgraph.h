/* The function graph API of mipstrace: up to 16 independent users are called when a traced
 * function is entered and, if they ask for it, when it returns. In the terms of the Linux kernel's
 * <linux/ftrace.h>; C and C++.
 *
 * A callback runs in the thread that made the call, between the caller and the function, possibly
 * inside a signal handler of the program. It must not throw, and must not keep a lock that the
 * program may hold. Traced functions that it calls itself reach no user but those with
 * FGRAPH_OPS_FL_PLAIN; for the others they are counted as lost. errno is the callback's to
 * preserve.
 */
#ifndef MIPSTRACE_FGRAPH_H
#define MIPSTRACE_FGRAPH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FGRAPH_MAX_USERS 16

/* Registers of the call, valid during the callback only. */
struct ftrace_regs;
struct fgraph_ops;

/* One call, as a user sees it. */
struct ftrace_graph_call {
    uintptr_t func;    /* address of the function's sled */
    uint32_t position; /* number of the function: unique and stable in this process, 4-aligned */
    int depth;         /* traced calls that are open below this one in this thread */
};

/* Called at entry. Returns non-zero if retfunc shall be called when this call returns. */
typedef int (*fgraph_entry_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                              struct ftrace_regs* regs);

/* Called at the return of a call for which entryfunc of the same registration asked for it. */
typedef void (*fgraph_return_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                                struct ftrace_regs* regs);

/* Called instead of retfunc when it is found that such a call has ended without returning: its
 * frame was left by longjmp or unwinding. That is noticed at the thread's next traced entry or
 * return. */
typedef void (*fgraph_left_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops);

/* The callbacks need every register at entry, not only the arguments. */
#define FGRAPH_OPS_FL_REGS 1u
/* The callbacks and all that they call use no floating-point register, neither hi nor lo, call no
 * traced function and may be entered again by a signal handler. They are called without the
 * guard and the saves that other callbacks need, so unregister_ftrace_graph can't wait for them:
 * their code must stay loaded. */
#define FGRAPH_OPS_FL_PLAIN 2u

/* Registered, but called for no function before ftrace_graph_resume. */
#define FGRAPH_OPS_FL_PAUSED 4u

/* A user. The caller owns it and keeps it until unregister_ftrace_graph has returned. */
struct fgraph_ops {
    size_t size; /* sizeof(struct fgraph_ops) */
    unsigned flags;
    fgraph_entry_t entryfunc; /* null: as if it returned 1 */
    fgraph_return_t retfunc;  /* null: no returns */
    fgraph_left_t leftfunc;   /* may be null */
    void* private_data;       /* the user's own */
    uint16_t slot;            /* set by register_ftrace_graph */
    uint16_t reserved[3];
    /* Patterns, separated by ';', each GLOB[@MODULE-GLOB] or the address 0x... of a function; null
     * or
     * "": every function, no one. */
    const char* filter;
    const char* notrace;
};

/* Starts calling `ops` for the functions that its filter selects. Thread-safe, not for signal
 * handlers or callbacks. Returns 0, or -EINVAL (size, no callback), -EBUSY (already registered),
 * -ENOSPC (FGRAPH_MAX_USERS are registered, of which the recorder is one), -ENOMEM, -EACCES (the
 * system does not let the tracer's own code be changed). The strings in it are copied. */
int register_ftrace_graph(struct fgraph_ops* ops);

/* Stops calling `ops`. When it returns, no thread is inside one of its callbacks (but see
 * FGRAPH_OPS_FL_PLAIN) and none will enter one, returns of calls that are open now included. Not
 * from inside a callback. Returns 0 or -ENOENT (not registered). */
int unregister_ftrace_graph(struct fgraph_ops* ops);

/* Change the filters of a registered user: to `patterns` alone or, if `reset` is 0, to what they
 * are and `patterns`. Only the sleds of functions that are wanted from now on, or no more, are
 * written. The string is copied. Thread-safe, not for signal handlers or callbacks. Return 0, or
 * -EINVAL (no string), -ENOENT (not registered), -ENOMEM (then nothing has changed). */
int ftrace_set_filter(struct fgraph_ops* ops, const char* patterns, int reset);
int ftrace_set_notrace(struct fgraph_ops* ops, const char* patterns, int reset);

/* A paused user is called for no new call, and its functions cost what those cost that nobody
 * wants; returns of open calls still come. Thread-safe, not for signal handlers or callbacks.
 * Return 0 or -ENOENT (not registered). */
int ftrace_graph_pause(struct fgraph_ops* ops);
int ftrace_graph_resume(struct fgraph_ops* ops);

/* At entry: integer or pointer argument n, one of the first eight, from 0; 0 beyond. On o32 each is
 * a word: a longer argument is two of them, the first of which has an even number. */
unsigned long ftrace_regs_get_argument(const struct ftrace_regs* regs, unsigned n);
/* At return: the integer or pointer return value; and a way to replace it. */
unsigned long ftrace_regs_get_return_value(const struct ftrace_regs* regs);
void ftrace_regs_set_return_value(struct ftrace_regs* regs, unsigned long value);
/* The stack pointer at the function's entry, the same at its return. */
uintptr_t ftrace_regs_get_stack_pointer(const struct ftrace_regs* regs);

#ifdef __cplusplus
}
#endif

#endif
