// What callbacks of users get, and what is kept from them. For the core's own files.
#pragma once

#include "lib/fgraph/frames.h"

namespace mipstrace::fgraph {

// True if slot `i` still holds the user that was there when the frame was pushed.
inline bool same_user(const Slot& slot, const Frame& frame) {
    return int32_t(frame.epoch - slot.epoch) >= 0;
}

// Marks that this thread is inside a callback for `call`, which unregister waits for, and which
// keeps the callback's own traced calls from coming back to it.
class CallbackGuard {
  public:
    CallbackGuard(ThreadState& thread, unsigned slot, const ftrace_graph_call& call)
        : thread_(thread) {
        thread_.in_callback.store(callback_mark(slot, call.depth), std::memory_order_relaxed);
        // Unregister stores the stub, then looks here: one of the two sees the other.
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    ~CallbackGuard() { thread_.in_callback.store(0, std::memory_order_release); }

  private:
    ThreadState& thread_;
};

// Keeps what the program has in floating-point registers, fcsr, hi and lo at this entry or return,
// while callbacks may use them.
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
