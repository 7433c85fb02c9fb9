// The two halves of a traced call. Called by the trampolines for every call of every traced
// function, in any thread, inside any signal handler: no allocation, no lock, no libc, no floating
// point, and at every instruction a handler that traces may interrupt.
//
//   fgraph_enter                                fgraph_leave
//     claim a frame (sp | 1, top + 1)             find the frame by sp, claim it
//     entryfunc of each user of the sled          retfunc of each user that wanted it
//     none wants the return: give it back         free the frame (top - 1)
//     complete it (sp), return address :=         return address := the true one
//       return_to_handler
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"
#include "lib/fgraph/frames.h"

namespace mipstrace::fgraph {

namespace {

#define mt_likely(x) __builtin_expect(!!(x), 1)
#define mt_unlikely(x) __builtin_expect(!!(x), 0)
#define MT_COLD __attribute__((noinline, cold))

ftrace_graph_call describe(const ThreadState& thread, const Frame& frame) {
    return {frame.func, frame.position, int(&frame - thread.stack.base) - 1};
}

// True if slot `i` still holds the user that was there when the frame was pushed.
bool same_user(const Slot& slot, const Frame& frame) {
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

// `regs` are of the call at which it is noticed, null where no call is at hand.
MT_COLD void end_without_return(ThreadState& thread, const Frame& frame, ftrace_regs* regs) {
    const ftrace_graph_call call = describe(thread, frame);
    // A signal handler may have jumped out of the callback.
    if (is_callback_of(thread.in_callback, call.depth)) thread.in_callback = 0;
    auto end_for = [&](unsigned i) {
        const Slot& slot = core.slots[i];
        const fgraph_left_t left = slot.left;
        if (left != nullptr && same_user(slot, frame)) left(&call, slot.ops);
    };
    const uint32_t guarded = core.guarded.load(std::memory_order_relaxed);
    for (uint32_t users = frame.users & ~guarded; users != 0; users &= users - 1)
        end_for(unsigned(__builtin_ctz(users)));
    if ((frame.users & guarded) == 0) return;
    FpKeeper keeper(regs);
    for (uint32_t users = frame.users & guarded; users != 0; users &= users - 1) {
        CallbackGuard guard(thread, unsigned(__builtin_ctz(users)), call);
        end_for(unsigned(__builtin_ctz(users)));
    }
}

// Drops the frames that a call at `sp` shows to be left, and tells their users. No signal handler
// sees that half done, or drops further frames meanwhile.
MT_COLD void drop_left_calls(ThreadState& thread, uintptr_t sp, bool tail_call, ftrace_regs* regs) {
    ShadowStack& stack = thread.stack;
    const StackBounds bounds = bounds_of_stack(thread, sp);
    if (!stack.has_left(sp, tail_call, bounds)) return;
    BlockSignals quiet;
    stack.drop_left(sp, tail_call, bounds,
                    [&](const Frame& frame) { end_without_return(thread, frame, regs); });
}

// The frame below the top is not one of an outer call on this stack, or there is no room, or no
// stack yet. Returns the thread's block if a frame can be pushed now.
MT_COLD ThreadState* make_room(ThreadState& thread, uintptr_t sp, ftrace_regs* regs) {
    KeepHiLo keep;  // system calls change them
    if (thread.stack.base == nullptr) {
        ThreadState* block = set_up_thread();
        if (block == nullptr) count_loss(Loss::no_memory);
        return block;
    }
    const bool tail_call = uintptr_t(regs->gpr[31]) == handler_address();
    ShadowStack& stack = thread.stack;
    if (!(tail_call && stack.top[-1].sp == sp)) drop_left_calls(thread, sp, tail_call, regs);
    if (stack.top != stack.limit) return &thread;
    count_loss(Loss::too_deep);
    return nullptr;
}

// Calls the entryfuncs of users that may do anything: floating point, hi and lo, traced calls.
__attribute__((noinline)) uint32_t enter_guarded(ThreadState& thread, Frame* frame, uint32_t users,
                                                 ftrace_regs* regs) {
    if (thread.in_callback.load(std::memory_order_relaxed) != 0) {
        count_loss(Loss::recursion);
        return 0;
    }
    const ftrace_graph_call call = describe(thread, *frame);
    FpKeeper keeper(regs);
    uint32_t wanted = 0;
    for (; users != 0; users &= users - 1) {
        const unsigned i = unsigned(__builtin_ctz(users));
        CallbackGuard guard(thread, i, call);
        Slot& slot = core.slots[i];
        if (slot.entry(&call, slot.ops, regs) != 0) wanted |= 1u << i;
    }
    return wanted;
}

__attribute__((noinline)) void leave_guarded(ThreadState& thread, const Frame& frame,
                                             uint32_t users, ftrace_regs* regs) {
    if (thread.in_callback.load(std::memory_order_relaxed) != 0) return;
    const ftrace_graph_call call = describe(thread, frame);
    FpKeeper keeper(regs);
    for (; users != 0; users &= users - 1) {
        const unsigned i = unsigned(__builtin_ctz(users));
        CallbackGuard guard(thread, i, call);
        Slot& slot = core.slots[i];
        if (same_user(slot, frame)) slot.leave(&call, slot.ops, regs);
    }
}

// In the place of fgraph_enter once tracing has stopped.
uintptr_t pass_by(ftrace_regs* regs) {
    return uintptr_t(regs->gpr[31]);
}

// A frame that isn't the innermost returns: the ones above it were left, or belong to a stack
// that this thread has switched away from.
MT_COLD Frame* find_returning(ThreadState& thread, uintptr_t sp, ftrace_regs* regs) {
    KeepHiLo keep;
    Frame* frame = thread.stack.find(sp);
    if (frame != nullptr) {
        drop_left_calls(thread, sp, true, regs);
        return frame;
    }
    frame = find_in_other_threads(sp);
    if (frame != nullptr) return frame;
    // Frames that were dropped keep their words until their place is used again.
    for (frame = thread.stack.limit; --frame > thread.stack.base;) {
        if ((frame->sp & ~kClaimed) == sp) break;
    }
    fgraph_handlers.fast_users = kNoFastUsers;
    if (fgraph_handlers.enter.exchange(pass_by) != pass_by) {
        LogLine() << "the shadow stack of thread " << uint64_t(raw_syscall(SYS_gettid))
                  << " lost a frame, tracing stops";
    }
    return frame;
}

}  // namespace

void end_open_calls(ThreadState& thread) {
    for (ShadowStack& stack = thread.stack; stack.top != stack.base + 1;) {
        Frame* frame = stack.top - 1;
        const bool open = frame->sp != kDead;
        frame->sp = kDead;
        if (open) end_without_return(thread, *frame, nullptr);
        stack.top = frame;
    }
}

}  // namespace mipstrace::fgraph

using namespace mipstrace::fgraph;

extern "C" uintptr_t fgraph_enter(ftrace_regs* regs) {
    ThreadState* block = this_thread;
    const uintptr_t sp = entry_sp(regs);
    const uintptr_t return_address = uintptr_t(regs->gpr[31]);
    if (mt_unlikely(!can_push(*block, sp))) {
        block = make_room(*block, sp, regs);
        if (block == nullptr) return return_address;
    }
    ThreadState& thread = *block;
    Frame* frame = claim_frame(thread, regs, 0);
    const uint32_t guarded = core.guarded.load(std::memory_order_relaxed);
    uint32_t wanted = 0;
    for (uint32_t users = uint32_t(regs->users) & ~guarded; users != 0; users &= users - 1) {
        const unsigned i = unsigned(__builtin_ctz(users));
        const Slot& slot = core.slots[i];
        const ftrace_graph_call call = describe(thread, *frame);
        if (slot.entry(&call, slot.ops, regs) != 0) {
            wanted |= 1u << i;
            frame->users = uint16_t(wanted);
        }
    }
    if (mt_unlikely((regs->users & guarded) != 0))
        wanted |= enter_guarded(thread, frame, uint32_t(regs->users) & guarded, regs);
    if (wanted == 0) {
        thread.stack.top = frame;
        return return_address;
    }
    frame->users = uint16_t(wanted);
    complete_frame(frame);
    return handler_address();
}

extern "C" uintptr_t fgraph_leave(ftrace_regs* regs) {
    ThreadState& thread = *this_thread;
    const uintptr_t sp = entry_sp(regs);
    for (;;) {
        Frame* frame = thread.stack.top - 1;
        if (mt_unlikely(frame->sp != sp)) frame = find_returning(thread, sp, regs);
        frame->sp = sp | kClaimed;
        order_for_handlers();
        const uint32_t guarded = core.guarded.load(std::memory_order_relaxed);
        for (uint32_t users = frame->users & ~guarded; users != 0; users &= users - 1) {
            const unsigned i = unsigned(__builtin_ctz(users));
            const Slot& slot = core.slots[i];
            const ftrace_graph_call call = describe(thread, *frame);
            if (same_user(slot, *frame)) slot.leave(&call, slot.ops, regs);
        }
        if (mt_unlikely((frame->users & guarded) != 0))
            leave_guarded(thread, *frame, frame->users & guarded, regs);
        const uintptr_t return_address = frame->ret;
        order_for_handlers();
        if (mt_likely(frame == thread.stack.top - 1)) {
            thread.stack.top = frame;
        } else {
            frame->sp = kDead;  // of another stack than the innermost
        }
        // A tail call entered the next function with our address already in place: that one's
        // caller returns now too.
        if (mt_likely(return_address != handler_address())) return return_address;
    }
}
