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
//
// fgraph_enter_at_call is the same behind the prologue of a function that calls _mcount.
//
// Calls and returns that aren't nested in the plain way: other_stacks.cpp.
#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/other_stacks.h"
#include "lib/mcount/frame_table.h"

namespace mipstrace::fgraph {

namespace {

#define mt_likely(x) __builtin_expect(!!(x), 1)
#define mt_unlikely(x) __builtin_expect(!!(x), 0)

// The recorder alone stays for good and leaves every register alone: no mark, no epoch.
inline bool ask_recorder(Frame* frame, ftrace_regs* regs) {
    const Slot& slot = core.slots[kRecorderSlot];
    if (slot.entry(&frame->call, slot.ops, regs) == 0) return false;
    frame->users |= kRecorderAlone;
    return true;
}

// The users that want the return; as a user may go, and may make traced calls itself.
__attribute__((noinline)) uint32_t ask_users(ThreadState& thread, Frame* frame, ftrace_regs* regs) {
    CallbackMark mark(thread, *frame);
    uint32_t users = users_now(uintptr_t(regs->gpr[25]), uint32_t(regs->users));
    if (!mark.is_first()) {
        const uint32_t guarded = core.guarded.load(std::memory_order_relaxed);
        if ((users & guarded) != 0) count_loss(Loss::recursion);
        users &= ~guarded;
    }
    // Not earlier: these are no older than any of the users.
    std::atomic_thread_fence(std::memory_order_acquire);
    frame->epoch = fgraph_handlers.epoch.load(std::memory_order_relaxed);
    FpKeeper keeper((users & core.uses_fp.load(std::memory_order_relaxed)) != 0 ? regs : nullptr);
    uint32_t wanted = 0;
    while (users != 0) {
        const unsigned i = take_next_user(users);
        const Slot& slot = core.slots[i];
        if (slot.entry(&frame->call, slot.ops, regs) == 0) continue;
        wanted |= 1u << i;
        frame->users |= 1u << i;
    }
    return wanted;
}

__attribute__((noinline)) void tell_users(ThreadState& thread, const Frame& frame,
                                          ftrace_regs* regs) {
    CallbackMark mark(thread, frame);
    uint32_t users = frame.users & kUsers;
    if (!mark.is_first()) users &= ~core.guarded.load(std::memory_order_relaxed);
    FpKeeper keeper((users & core.uses_fp.load(std::memory_order_relaxed)) != 0 ? regs : nullptr);
    while (users != 0) {
        const Slot& slot = core.slots[take_next_user(users)];
        if (same_user(slot, frame)) slot.leave(&frame.call, slot.ops, regs);
    }
}

// Returns the frame of the call, completed, or null: no one wants the return.
inline __attribute__((always_inline)) Frame* enter(ftrace_regs* regs) {
    Frame* frame;
    if (mt_likely(can_push(*this_thread, entry_sp(regs)))) {
        frame = claim_frame(*this_thread, regs, 0);
    } else {
        frame = claim_frame_rarely(regs);
        if (frame == nullptr) return nullptr;
    }
    ThreadState& thread = *this_thread;
    const bool wanted = mt_likely(regs->users == kRecorderAlone)
                            ? ask_recorder(frame, regs)
                            : ask_users(thread, frame, regs) != 0;
    if (!wanted) {
        if (mt_unlikely((frame->users & kStackMarks) != 0)) thread.stack.low = kNowhere;
        frame->users = kNobody;
        thread.stack.top = frame;
        return nullptr;
    }
    complete_frame(frame);
    return frame;
}

}  // namespace

}  // namespace mipstrace::fgraph

using namespace mipstrace::fgraph;

extern "C" uintptr_t fgraph_enter(ftrace_regs* regs) {
    return enter(regs) != nullptr ? handler_address() : uintptr_t(regs->gpr[31]);
}

extern "C" uintptr_t fgraph_enter_at_call(ftrace_regs* regs) {
    const auto* frames =
        reinterpret_cast<const mipstrace::mcount::FrameTable*>(uintptr_t(regs->frames));
    const uint32_t word = frames->word_at(uint32_t(regs->gpr[25]));
    regs->frame_size =
        word != mipstrace::mcount::kNoFrame ? mipstrace::mcount::frame_size(word) : 0;
    if ((regs->flags & FTRACE_REGS_FLAG_FULL) != 0) regs->gpr[29] = entry_sp(regs);
    const uint32_t below = mipstrace::mcount::ra_below(word);
    auto* place = below != 0 ? reinterpret_cast<ftrace_reg*>(entry_sp(regs) - below) : nullptr;
    // What was read from the code must be so: it decides where the function returns to.
    if (word == mipstrace::mcount::kNoFrame || (place != nullptr && *place != regs->gpr[31])) {
        regs->frame_size = 0;
        Frame* frame = enter(regs);
        if (frame != nullptr) end_at_once(*this_thread, frame, regs);
        return uintptr_t(regs->gpr[31]);
    }
    if (enter(regs) == nullptr) return uintptr_t(regs->gpr[31]);
    if (place != nullptr) *place = handler_address();
    return handler_address();
}

extern "C" uintptr_t fgraph_leave(ftrace_regs* regs) {
    const uintptr_t sp = exit_sp(regs);
    for (;;) {
        Frame* frame = this_thread->stack.top - 1;
        if (mt_unlikely(!is_complete_at(*frame, sp))) {
            const Returning returning = find_returning(sp, regs);
            frame = returning.frame;
            if (frame == nullptr) return returning.address;
        }
        ThreadState& thread = *this_thread;
        thread.stack.fill_in(*frame);
        frame->sp = sp | kClaimed;
        order_for_handlers();
        if ((frame->users & kUsers) == kRecorderAlone) {
            const Slot& slot = core.slots[kRecorderSlot];
            slot.leave(&frame->call, slot.ops, regs);
        } else {
            tell_users(thread, *frame, regs);
        }
        const uintptr_t return_address = frame->ret;
        order_for_handlers();
        if (mt_likely(frame == thread.stack.top - 1 && (frame->users & kStackMarks) == 0)) {
            frame->users = kNobody;
            order_for_handlers();
            thread.stack.top = frame;
        } else {
            pop_rarely(thread, frame);
        }
        // A tail call entered the next function with our address already in place: that one's
        // caller returns now too.
        if (mt_likely(return_address != handler_address())) return return_address;
    }
}
