#pragma once

#include "lib/base/syscall.h"

namespace mipstrace {

// While it lives, no signal handler runs in the calling thread, and asynchronous cancellation
// waits.
class BlockSignals {
  public:
    BlockSignals() {
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
    KernelSigset saved_;
};

}  // namespace mipstrace
