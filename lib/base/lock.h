// A lock for what is rare, by the system call itself: the program may have put its own functions
// before libc's.
#pragma once

#include <linux/futex.h>

#include <atomic>
#include <cstdint>

#include "lib/base/syscall.h"

namespace mipstrace {

class Lock {
  public:
    void lock() {
        uint32_t seen = kFree;
        if (!state_.compare_exchange_strong(seen, kTaken)) {
            while (state_.exchange(kWaitedFor) != kFree)
                raw_syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, long(kWaitedFor), nullptr);
        }
        owner_ = __builtin_thread_pointer();
    }
    void unlock() {
        owner_ = nullptr;
        if (state_.exchange(kFree) == kWaitedFor)
            raw_syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1L);
    }
    // In the child of a fork, for its only thread: another one that held it is not there any more.
    // False: this thread holds it.
    bool free_after_fork() {
        if (owner_ == __builtin_thread_pointer()) return false;
        state_ = kFree;
        return true;
    }

  private:
    static constexpr uint32_t kFree = 0;
    static constexpr uint32_t kTaken = 1;
    static constexpr uint32_t kWaitedFor = 2;

    std::atomic<uint32_t> state_{kFree};
    void* owner_ = nullptr;
};

class LockHolder {
  public:
    explicit LockHolder(Lock& lock) : lock_(lock) { lock_.lock(); }
    ~LockHolder() { lock_.unlock(); }
    LockHolder(const LockHolder&) = delete;
    LockHolder& operator=(const LockHolder&) = delete;

  private:
    Lock& lock_;
};

}  // namespace mipstrace
