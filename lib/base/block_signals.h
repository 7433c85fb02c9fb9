#pragma once

#include <cstdint>

#include "lib/base/syscall.h"

namespace mipstrace {

// While it lives, no signal handler runs in the calling thread, and asynchronous cancellation
// waits.
class BlockSignals {
  public:
    BlockSignals() {
        const uint64_t all[2] = {~uint64_t(0), ~uint64_t(0)};
        raw_syscall(SYS_rt_sigprocmask, kSetMask, static_cast<const uint64_t*>(all),
                    static_cast<uint64_t*>(saved_), kSetSize);
    }
    ~BlockSignals() {
        raw_syscall(SYS_rt_sigprocmask, kSetMask, static_cast<const uint64_t*>(saved_), nullptr,
                    kSetSize);
    }
    BlockSignals(const BlockSignals&) = delete;
    BlockSignals& operator=(const BlockSignals&) = delete;

    // Bytes of a signal mask: MIPS has 128 signals.
#ifdef __mips__
    static constexpr long kSetSize = 16;
#else
    static constexpr long kSetSize = 8;
#endif

  private:
    // MIPS numbers SIG_SETMASK 3.
#ifdef __mips__
    static constexpr long kSetMask = 3;
#else
    static constexpr long kSetMask = 2;
#endif
    uint64_t saved_[2];
};

}  // namespace mipstrace
