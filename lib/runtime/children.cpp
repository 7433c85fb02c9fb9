#include "lib/runtime/children.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "lib/base/next_function.h"
#include "lib/fgraph/core.h"
#include "lib/record/event_writer.h"

#define MT_HIDDEN extern "C" __attribute__((visibility("hidden")))
#define MT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using mipstrace::record::begin_in_child;
using mipstrace::record::mute;
using mipstrace::record::unmute;

using ForkFunction = pid_t();
using ChildFunction = int(void*);
using CloneFunction = int(ChildFunction*, void*, int, void*, void*, void*, void*);
using SyscallFunction = long(long, long, long, long, long, long, long);

ForkFunction* next_fork;
CloneFunction* next_clone;

struct ChildStart {
    ChildFunction* function;
    void* argument;
};

int begin_child(void* start) {
    begin_in_child();
    // The parent's stack as it was at the fork, in the child's own memory.
    const ChildStart child = *static_cast<ChildStart*>(start);
    return child.function(child.argument);
}

}  // namespace

// For the assembler: see trampoline/child.S.
MT_HIDDEN SyscallFunction* mipstrace_next_syscall;
SyscallFunction* mipstrace_next_syscall;

MT_HIDDEN uintptr_t mipstrace_before_vfork() {
    return mute();
}

MT_HIDDEN long mipstrace_after_vfork(long result, long failed, uintptr_t state) {
    unmute(state);
    if (failed == 0) return result;
    errno = int(result);
    return -1;
}

// True for what fork() does: a copy of the memory, and the child goes on on the same stack. Where
// it gets another one, it would not come back through a wrapper.
MT_HIDDEN bool mipstrace_is_fork(long number, unsigned long first, unsigned long second) {
    if (number == SYS_fork) return true;
    if (number == SYS_clone) return (first & CLONE_VM) == 0 && second == 0;
    const auto* arguments = reinterpret_cast<const clone_args*>(first);
    return arguments != nullptr && second >= CLONE_ARGS_SIZE_VER0 &&
           (arguments->flags & CLONE_VM) == 0 && arguments->stack == 0;
}

MT_HIDDEN long mipstrace_fork_syscall(long number, long a, long b, long c, long d, long e, long f) {
    const long result = mipstrace_next_syscall(number, a, b, c, d, e, f);
    if (result == 0) begin_in_child();
    return result;
}

MT_EXPORT pid_t _Fork() {
    if (next_fork == nullptr) {
        errno = ENOSYS;
        return -1;
    }
    const pid_t pid = next_fork();
    if (pid == 0) begin_in_child();
    return pid;
}

// <sched.h> has it with `...`, of which there are three at most.
MT_EXPORT int make_clone(ChildFunction* function, void* stack, int flags, void* argument,
                         void* parent_tid, void* tls, void* child_tid) asm("clone");
int make_clone(ChildFunction* function, void* stack, int flags, void* argument, void* parent_tid,
               void* tls, void* child_tid) {
    if ((flags & CLONE_VM) == 0 && function != nullptr) {
        ChildStart start{function, argument};
        return next_clone(begin_child, stack, flags, &start, parent_tid, tls, child_tid);
    }
    const bool shares_thread = (flags & (CLONE_VM | CLONE_SETTLS)) == CLONE_VM;
    if (!shares_thread)
        return next_clone(function, stack, flags, argument, parent_tid, tls, child_tid);
    if ((flags & CLONE_VFORK) == 0) {
        mipstrace::fgraph::stop_tracing(
            "the program runs two tasks with the data of one thread (clone with CLONE_VM)");
        return next_clone(function, stack, flags, argument, parent_tid, tls, child_tid);
    }
    const uintptr_t state = mute();
    const int pid = next_clone(function, stack, flags, argument, parent_tid, tls, child_tid);
    unmute(state);
    return pid;
}

MT_EXPORT int make_underscored_clone(ChildFunction*, void*, int, void*, void*, void*,
                                     void*) asm("__clone") __attribute__((alias("clone")));

namespace mipstrace::runtime {

void prepare_children() {
    next_fork = mipstrace::next_function<ForkFunction>("_Fork");
    next_clone = mipstrace::next_function<CloneFunction>("clone");
    mipstrace_next_syscall = mipstrace::next_function<SyscallFunction>("syscall");
}

}  // namespace mipstrace::runtime
