#pragma once

#include <signal.h>

#include <cstddef>

#include "lib/base/syscall.h"

namespace mipstrace {

// While it lives, no signal handler runs in the calling thread, and asynchronous cancellation
// waits. The kernel ends a program for a fault whose signal is blocked, though the program may have
// a handler for an overflow of its stack: so what the stack must hold meanwhile is touched before.
class BlockSignals {
  public:
    // More than is used in most places, and less than a page.
    static constexpr size_t kStackNeeded = 2048;

    explicit BlockSignals(size_t stack_needed = kStackNeeded) {
        touch_stack(stack_needed);
        const KernelSigset all = KernelSigset::all();
        raw_syscall(SYS_rt_sigprocmask, kSetMask, &all, &saved_, sizeof(KernelSigset));
    }
    ~BlockSignals() {
        raw_syscall(SYS_rt_sigprocmask, kSetMask, &saved_, nullptr, sizeof(KernelSigset));
    }
    BlockSignals(const BlockSignals&) = delete;
    BlockSignals& operator=(const BlockSignals&) = delete;

  private:
    // MIPS numbers SIG_SETMASK 3.
#ifdef __mips__
    static constexpr long kSetMask = 3;
#else
    static constexpr long kSetMask = 2;
#endif
    // A signal stack may have less than that, and who overflows it has no handler for it.
    [[gnu::noinline]] static void touch_stack(size_t bytes) {
        stack_t signals;
        raw_syscall(SYS_sigaltstack, nullptr, &signals);
        if ((signals.ss_flags & SS_ONSTACK) != 0) return;
        volatile char* lowest = static_cast<char*>(__builtin_alloca(bytes));
        asm volatile("" : "+r"(lowest));
        static_cast<void>(*lowest);
    }

    KernelSigset saved_;
};

}  // namespace mipstrace
