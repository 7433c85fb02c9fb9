// What callbacks of users get, and what is kept from them. For the core's own files.
#pragma once

#include "lib/fgraph/frames.h"
#include "lib/mips/sled.h"

namespace mipstrace::fgraph {

// True if slot `i` still holds the user that was there when the frame was pushed.
inline bool same_user(const Slot& slot, const Frame& frame) {
    return int32_t(frame.epoch - slot.epoch) >= 0;
}

// Removes the user that is to be called next from a set, and returns its slot.
inline unsigned take_next_user(uint32_t& users) {
    unsigned first = unsigned(__builtin_ctz(users));
    for (uint32_t others = users & (users - 1); others != 0; others &= others - 1) {
        const unsigned i = unsigned(__builtin_ctz(others));
        if (core.slots[i].priority < core.slots[first].priority) first = i;
    }
    users &= ~(1u << first);
    return first;
}

// Marks that this thread runs callbacks for the call of `frame`, which unregister waits for, and
// which keeps the traced calls of callbacks, and of handlers that interrupt them, from coming back
// to users. What is called from inside a callback is covered by the first mark. The trampolines do
// the same, where unregister's barrier in all threads may stand for their own.
//
// What is read of users after this is no older than the mark: unregister changes that, then looks
// for marks; one of the two sees the other.
class CallbackMark {
  public:
    CallbackMark(ThreadState& thread, const Frame& frame)
        : thread_(thread), first_(thread.in_callback.load(std::memory_order_relaxed) == nullptr) {
        if (!first_) return;
        thread_.in_callback.store(&frame, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    ~CallbackMark() {
        if (first_) thread_.in_callback.store(nullptr, std::memory_order_release);
    }
    CallbackMark(const CallbackMark&) = delete;
    CallbackMark& operator=(const CallbackMark&) = delete;
    bool is_first() const { return first_; }

  private:
    ThreadState& thread_;
    const bool first_;
};

// True if the calling thread is in a callback, or in a handler that interrupted one. (One that was
// jumped out of lies below the stack pointer.)
bool is_in_callback();
// Whether a thread may be in a callback now.
bool is_any_thread_in_callback();

// The users in a sled as it is now, if it is one that had `then` and none more of them. Read under
// a mark: a user that has gone is not among them, nor the one that has taken its slot.
inline uint32_t users_now(uintptr_t link, uint32_t then) {
    const auto* words = reinterpret_cast<const volatile uint32_t*>(link - mips::kSledBytes);
    return then & words[mips::kUsersWord] & 0xffff;
}

// Keeps what the program has in floating-point registers and fcsr at this entry or return while
// callbacks may use them.
class FpKeeper {
  public:
    explicit FpKeeper(ftrace_regs* regs) : regs_(regs) {
        if (regs == nullptr) return;
        if ((regs->flags & FTRACE_REGS_FLAG_RETURN) != 0)
            ftrace_save_return_fp(regs);
        else if ((regs->flags & FTRACE_REGS_FLAG_FULL) == 0)  // else the assembler does it
            ftrace_save_argument_fp(regs);
        regs->flags |= FTRACE_REGS_FLAG_FP;
    }
    ~FpKeeper() {
        if (regs_ == nullptr) return;
        if ((regs_->flags & FTRACE_REGS_FLAG_RETURN) != 0)
            ftrace_restore_return_fp(regs_);
        else if ((regs_->flags & FTRACE_REGS_FLAG_FULL) == 0)
            ftrace_restore_argument_fp(regs_);
    }

  private:
    ftrace_regs* regs_;
};

}  // namespace mipstrace::fgraph
