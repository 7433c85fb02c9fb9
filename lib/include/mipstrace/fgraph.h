/* mipstrace/fgraph.h: the function graph API, in the terms of the Linux kernel's <linux/ftrace.h>.
 * For C and C++.
 *
 * A user of it is called when traced functions are entered and, if it asks for that, when they
 * return. Several users work beside each other, each with filters of its own; one of them is the
 * recorder of `mipstrace record`. A function that no user wants costs what it costs untraced: the
 * set of users stands in its code.
 *
 * USING IT. A user is a shared object with a constructor that registers it, compiled as usual (not
 * with the flags for traced programs: its functions are not to be traced themselves):
 *
 *     mips64el-linux-gnuabi64-gcc -shared -fPIC -I PREFIX/include mine.c -o mine.so
 *                                          (PREFIX: where mipstrace is installed, or build/dist)
 *     mipstrace record --plugin ./mine.so ./prog      or, on a board:
 *     LD_PRELOAD="/path/libmipstrace.so ./mine.so" ./prog
 *
 * libmipstrace.so defines the functions below; nothing is linked. A program can hold users, too:
 * declare the functions weak, and call them where they are not null. examples/ has whole ones:
 *
 *     static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
 *                         struct ftrace_regs* regs) {
 *         calls++;
 *         return 0;            // 1: call retfunc when this call returns
 *     }
 *     static struct fgraph_ops ops = {
 *         .size = sizeof ops, .entryfunc = on_entry, .filter = "parse_*;main", .name = "counter"};
 *     __attribute__((constructor)) static void start(void) { register_ftrace_graph(&ops); }
 *
 * WHERE CALLBACKS RUN. In the thread that made the call, between the caller and the function, on
 * the same stack; in any thread at any time, at once in several, and inside signal handlers of the
 * program. So state is atomic or per thread, and a lock that the program's own functions may hold
 * (malloc's, stdio's) is not for a callback that is called inside these functions. It must not
 * throw, and not leave by longjmp; a signal handler of the program that interrupts it may, and has
 * ended it then. errno is the callback's to preserve.
 *
 * Traced functions that a callback calls, or a signal handler that interrupts it, reach no user but
 * those with FGRAPH_OPS_FL_PLAIN, of which the recorder is one; for the others they are counted as
 * lost ("made from inside a tracing callback"), though the recording has them. Calls among them
 * that a callback leaves by a longjmp of its own end there.
 *
 * TIMES. clock_gettime takes no lock; the recorder's times are CLOCK_MONOTONIC's. Read it before
 * anything else: a thread's first fgraph_reserve_data makes the room for all further ones.
 *
 * THE END. A destructor of the shared object may write results, by stdio, too; where the program
 * ends by _exit, abort or a signal there is none. Calls that are open then get neither retfunc nor
 * leftfunc. A child of fork has the users and their state as they were, and an end of its own.
 *
 * ORDER. The recorder first, then by priority, then in the order of slots, of which a user gets the
 * lowest free one; the same at entries and at returns.
 *
 * THREADS AND SIGNALS. The functions that take a struct fgraph_ops alone may be called in any
 * thread, but not in a signal handler and not in a callback: there they return -EDEADLK, and a user
 * that wants to go tells another thread. The accessors at the end are for callbacks.
 *
 * ERRORS. Functions that return an int return 0 or a negative errno value. */
#ifndef MIPSTRACE_FGRAPH_H
#define MIPSTRACE_FGRAPH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What this header describes. It grows with each addition; nothing that is here goes away. */
#define FGRAPH_API_VERSION 2
/* That of the library which is loaded. */
unsigned fgraph_api_version(void);

#define FGRAPH_MAX_USERS 16

/* The registers of a call at its entry or its return. Valid in the callback only. */
struct ftrace_regs;
struct fgraph_ops;

/* One call, as a user sees it. Valid in the callback only. */
struct ftrace_graph_call {
    /* Address of the function's sled: its first instructions; in position-independent code of the
     * ABI o32 12 bytes behind its start; with -pg that of its call of _mcount. */
    uintptr_t func;
    uint32_t position; /* number of the function: unique and stable in this process, 4-aligned */
    int depth;         /* traced calls that are open below this one in this thread */
};

/* Called at an entry. Returns non-zero if retfunc shall be called when this call returns. */
typedef int (*fgraph_entry_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                              struct ftrace_regs* regs);

/* Called at the return of a call for which entryfunc of the same registration asked for it; not if
 * the user has been unregistered meanwhile. */
typedef void (*fgraph_return_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                                struct ftrace_regs* regs);

/* Called instead of retfunc when it is found that such a call has ended without returning: its
 * frame was left by longjmp, an exception or the thread's end. That is noticed at the thread's next
 * traced entry or return outside it. Where a signal handler jumped out of the very entry, while
 * users were being called, it is not. */
typedef void (*fgraph_left_t)(const struct ftrace_graph_call* call, struct fgraph_ops* ops);

/* The callbacks need every register at an entry, not only the arguments. */
#define FGRAPH_OPS_FL_REGS 1u
/* The callbacks and all that they call use no floating-point register, so none of the accessors of
 * float and double, call no traced function, and may be entered again by a signal handler: they are
 * called for the traced calls of other users' callbacks and of such a handler, too. */
#define FGRAPH_OPS_FL_PLAIN 2u
/* Registered, but called for no function before ftrace_graph_resume. */
#define FGRAPH_OPS_FL_PAUSED 4u
/* The callbacks and all that they call use no floating-point register, so none of the accessors of
 * float and double. These registers need not be saved then, which makes each call cheaper. */
#define FGRAPH_OPS_FL_NO_FP 8u

/* A user. The caller owns it and keeps it, and what private_data and name point to, until
 * unregister_ftrace_graph has returned; it changes nothing in it meanwhile. */
struct fgraph_ops {
    size_t size; /* sizeof(struct fgraph_ops) */
    unsigned flags;
    fgraph_entry_t entryfunc; /* null: as if it returned 1 */
    fgraph_return_t retfunc;  /* null: no returns */
    fgraph_left_t leftfunc;   /* may be null */
    void* private_data;       /* the user's own */
    uint16_t slot;            /* set by register_ftrace_graph */
    int16_t priority;         /* of several users, those with lower ones are called first */
    uint16_t reserved[2];
    /* Which functions: patterns, separated by ';', each GLOB, GLOB@MODULE-GLOB, @MODULE-GLOB or
     * 0xADDRESS of a function. A glob is compared with the name as the linker knows it and with the
     * demangled one, with and without parameters; MODULE is a file's name: libfoo.so.1. Null or "":
     * every function, and no one. Functions that are loaded later are looked at then, so one that
     * fits none now is no error. */
    const char* filter;
    const char* notrace; /* not these; wins */
    const char* name;    /* what `mipstrace control PID users` calls it; may be null */
};

/* Starts calling `ops` for the functions that its filter selects. The patterns are copied.
 *   -EINVAL  no ops, a size that is none, an unknown flag, neither entryfunc nor retfunc
 *   -E2BIG   built for a newer library: beyond what this one knows not all is zero
 *   -EBUSY   registered already
 *   -ENOSPC  16 users are registered, for the first of which the recorder always counts
 *   -ENOMEM  no memory for the patterns
 *   -EACCES  the system does not let the tracer's own code be changed
 *   -EDEADLK called in a callback */
int register_ftrace_graph(struct fgraph_ops* ops);

/* Stops calling `ops`. When it returns, no thread is inside one of its callbacks and none will
 * enter one, returns of calls that are open now included: the object that holds them may be
 * unloaded. It waits for all callbacks that run, those of other users included.
 *   -ENOENT  not registered
 *   -EDEADLK called in a callback, which it would wait for */
int unregister_ftrace_graph(struct fgraph_ops* ops);

/* Change the filters of a registered user: to `patterns` alone or, if `reset` is 0, to what they
 * are and `patterns`. Only the code of functions that are wanted from now on, or no more, is
 * written. The string is copied.
 *   -EINVAL  no string
 *   -ENOENT  not registered
 *   -ENOMEM  no memory; nothing has changed
 *   -EDEADLK called in a callback */
int ftrace_set_filter(struct fgraph_ops* ops, const char* patterns, int reset);
int ftrace_set_notrace(struct fgraph_ops* ops, const char* patterns, int reset);

/* A paused user is called for no new call, and functions that no one else wants cost what they cost
 * untraced; returns of open calls still come.
 *   -ENOENT  not registered
 *   -EDEADLK called in a callback */
int ftrace_graph_pause(struct fgraph_ops* ops);
int ftrace_graph_resume(struct fgraph_ops* ops);

/* Bytes of a user's own for one call: reserved in entryfunc, found again by retfunc or leftfunc of
 * the same call, and then gone. A user has as much for each call, whatever others reserve; it is
 * not cleared. Reserving again in the same callback returns the same bytes, with the new size.
 * `call` and `ops` are what the callback gets. Null: a size of 0 or more than FGRAPH_MAX_DATA_SIZE,
 * or no memory; nothing was reserved; the call has returned in another thread than it was made in,
 * as coroutines may; or not in a callback. */
#define FGRAPH_MAX_DATA_SIZE 64
void* fgraph_reserve_data(const struct ftrace_graph_call* call, const struct fgraph_ops* ops,
                          size_t size_bytes);
void* fgraph_retrieve_data(const struct ftrace_graph_call* call, const struct fgraph_ops* ops,
                           size_t* size_bytes);

/* Arguments, at an entry. `n` counts from 0 over all arguments, whatever their types; a structure
 * that is passed by value counts for each register that it fills; on o32 what is longer than a
 * word is two, the first of which has an even number. Those beyond the registers are
 * read from the stack, where nothing tells how many there are: ask for no more than the function
 * has. `this` is argument 0; so is the hidden pointer to a structure that is returned in memory. */
unsigned long ftrace_regs_get_argument(const struct ftrace_regs* regs, unsigned n);
/* The same of arguments that are double or float, but for the variable ones, as those of printf,
 * which are passed as integers. NaN where it can't be told: on o32 for words 1 to 3, since these
 * are in $f14, or in the integer registers, as what is before them is floating or not. */
double ftrace_regs_get_double_argument(const struct ftrace_regs* regs, unsigned n);
float ftrace_regs_get_float_argument(const struct ftrace_regs* regs, unsigned n);

/* At a return: what the function returns, and a way to replace it. */
unsigned long ftrace_regs_get_return_value(const struct ftrace_regs* regs);
void ftrace_regs_set_return_value(struct ftrace_regs* regs, unsigned long value);
/* Of functions that return double or float. */
double ftrace_regs_get_double_return_value(const struct ftrace_regs* regs);
float ftrace_regs_get_float_return_value(const struct ftrace_regs* regs);
void ftrace_regs_set_double_return_value(struct ftrace_regs* regs, double value);
void ftrace_regs_set_float_return_value(struct ftrace_regs* regs, float value);

/* The stack pointer at the function's entry, the same at its return. */
uintptr_t ftrace_regs_get_stack_pointer(const struct ftrace_regs* regs);

/* Where the call returns to, as the program has it. */
uintptr_t ftrace_regs_get_return_address(const struct ftrace_regs* regs);

/* True addresses for who walks over the stack of the calling thread: the stack holds the tracer's
 * where calls are traced. `found` is a return address as it was found there, `sp` the stack pointer
 * at the entry of the function that returns to it. Any other address is returned as it is. In
 * callbacks and anywhere else. */
uintptr_t ftrace_graph_ret_addr(uintptr_t found, uintptr_t sp);

/* DIRECT CALLS. From register_ftrace_direct on, who calls `function` reaches `replacement` instead,
 * with every argument as it was, on the same stack, as if it had called that; until
 * unregister_ftrace_direct. Whether the function is traced or not makes no difference: where it is,
 * the call is seen under its own name. The replacement has the function's type, and throws only if
 * the function may: callers are compiled for that.
 *
 *     static int (*real_parse)(const char*);
 *     static int checked_parse(const char* text) { return text ? real_parse(text) : -1; }
 *     ...
 *     register_ftrace_direct((void*)parse, (void*)checked_parse, (void**)&real_parse);
 *
 * `function` is where a function with a sled begins. (A program without -fPIC may get the address
 * of a stub of its own for a function of another object; dlsym knows the true one.) Callers into
 * which the compiler has copied the function are not reached.
 *
 * `*original` becomes a pointer by which the function itself is called, replaced or not, and never
 * seen by tracing; it may be null. It is stored before the first call can reach the replacement,
 * stays the same for this function, and is valid until the function's object is unloaded. A
 * replacement that calls the function by its name calls itself.
 *
 * Any number of threads may run through the function meanwhile. Calls that begin when one of these
 * functions has returned take the new way, but for that of a thread which was among the function's
 * first instructions all the time. Such a one, and those that are in a replacement, may go on there
 * after it was modified or unregistered, for as long as they like: what holds it stays loaded until
 * they are known to be gone. The object that holds a replacement unregisters it before it is
 * unloaded. With the function's own object the direct call goes, too.
 *
 * In any thread, but not in a signal handler and not in a callback.
 *   -EINVAL      a null pointer, or `replacement` is `function`
 *   -ENOENT      no function with a sled begins there; to modify or unregister: it is not replaced
 *   -EOPNOTSUPP  its sled can't be used; `mipstrace sites` tells why
 *   -EBUSY       it is replaced already
 *   -ENOMEM      no memory below 2 GiB
 *   -EACCES      the system does not let the function's code be changed
 *   -EDEADLK     called in a callback */
int register_ftrace_direct(const void* function, const void* replacement, void** original);
int modify_ftrace_direct(const void* function, const void* replacement);
int unregister_ftrace_direct(const void* function);

#ifdef __cplusplus
}
#endif

#endif
