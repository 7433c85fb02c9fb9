#include "lib/fgraph/other_stacks.h"

#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/callbacks.h"

namespace mipstrace::fgraph {

namespace {

// Fewer frames than this are not worth closing gaps.
constexpr ptrdiff_t kFewFrames = 256;

// `regs` are of the call at which it is noticed, null where no call is at hand.
[[gnu::noinline]] void end_without_return(ThreadState& thread, const Frame& frame,
                                          ftrace_regs* regs) {
    // A signal handler may have jumped out of its callbacks.
    if (thread.in_callback.load(std::memory_order_relaxed) == &frame) thread.in_callback = nullptr;
    uint32_t users = frame.users & kUsers;
    CallbackMark mark(thread, frame);
    FpKeeper keeper((users & core.uses_fp) != 0 ? regs : nullptr);
    while (users != 0) {
        const Slot& slot = core.slots[take_next_user(users)];
        const fgraph_left_t left = slot.left;
        if (left != nullptr && same_user(slot, frame)) left(&frame.call, slot.ops);
    }
}

// Drops the frames that a call at `sp` shows to be left, and tells their users. No signal handler
// sees that half done, or drops further frames meanwhile.
[[gnu::noinline]] void drop_left_calls(ThreadState& thread, uintptr_t sp, bool tail_call,
                                       const StackBounds& bounds, ftrace_regs* regs) {
    ShadowStack& stack = thread.stack;
    if (!stack.has_left(sp, tail_call, bounds)) return;
    BlockSignals quiet;
    stack.drop_left(sp, tail_call, bounds,
                    [&](const Frame& frame) { end_without_return(thread, frame, regs); });
}

// In the place of fgraph_enter once tracing has stopped.
uintptr_t pass_by(ftrace_regs* regs) {
    return uintptr_t(regs->gpr[31]);
}

// Coroutines that take turns leave a gap at each switch.
void close_gaps(ThreadState& thread) {
    ShadowStack& stack = thread.stack;
    if (thread.compact_at == nullptr) thread.compact_at = stack.base + kFewFrames;
    const bool is_due = stack.top >= thread.compact_at || stack.top == stack.end;
    if (!is_due || !stack.may_have_gaps) return;
    BlockSignals quiet;
    if (stack.count_claimed() == 0) {
        stack.compact();
        thread.switched_from = nullptr;
    }
    thread.compact_at = stack.top + (stack.top - stack.base) + kFewFrames;
}

const Frame* switched_from(const ThreadState& thread) {
    const Frame* frame = thread.switched_from;
    const bool is_live = frame != nullptr && frame < thread.stack.top && frame->sp != kDead;
    return is_live ? frame : thread.stack.top - 1;
}

// The true address of a return whose frame is gone: frames that were dropped keep their words until
// their place is used again.
uintptr_t search_dropped(const ShadowStack& stack, uintptr_t sp) {
    stop_tracing("the shadow stack of a thread lost a frame");
    if (stack.base == nullptr) return 0;
    for (const Frame* frame = stack.limit; --frame > stack.base;) {
        if (sp_of(*frame) == sp) return frame->ret;
    }
    return 0;
}

// Frames of calls that have returned in another thread.
void end_taken(ThreadState& thread, ftrace_regs* regs) {
    if (!thread.has_taken_frames.exchange(false)) return;
    for (Frame* frame = thread.stack.top; --frame != thread.stack.base;) {
        if (frame->sp != kTaken) continue;
        thread.stack.bury(*frame);
        end_without_return(thread, *frame, regs);
    }
    thread.stack.trim();
}

// A frame of another thread, now the innermost of this one. Null: there is no room.
Frame* push_taken(const Frame& taken, uintptr_t sp) {
    ThreadState* thread = set_up_thread();
    if (thread == nullptr || !thread->stack.has_room()) return nullptr;
    ShadowStack& stack = thread->stack;
    stack.low = kNowhere;
    Frame* frame = stack.top;
    frame->sp = sp | kClaimed;
    order_for_handlers();
    stack.top = frame + 1;
    order_for_handlers();
    ShadowStack::copy(*frame, taken);
    frame->sp = sp | kClaimed;
    frame->users = users_of(taken) | kForeign;
    return frame;
}

}  // namespace

// The trampolines' own way asks every thread's `low`.
void stop_tracing(const char* why) {
    fgraph_handlers.enter_at_call = pass_by;
    if (fgraph_handlers.enter.exchange(pass_by) == pass_by) return;
    for_each_thread([](ThreadState& thread, void*) { thread.stack.low = kNowhere; }, nullptr);
    LogLine() << why << ", tracing stops";
}

Frame* claim_frame_rarely(ftrace_regs* regs) {
    KeepHiLo keep;  // system calls change them
    ThreadState* block = set_up_thread();
    if (block == nullptr) {
        count_loss(Loss::no_memory);
        return nullptr;
    }
    ThreadState& thread = *block;
    ShadowStack& stack = thread.stack;
    const uintptr_t sp = entry_sp(regs);
    const bool tail_call = uintptr_t(regs->gpr[31]) == handler_address();
    stack.low = kNowhere;
    end_taken(thread, regs);
    const StackBounds bounds = bounds_of_stack(thread, sp);
    if (!(tail_call && is_complete_at(stack.top[-1], sp)))
        drop_left_calls(thread, sp, tail_call, bounds, regs);
    close_gaps(thread);
    if (!stack.has_room()) {
        count_loss(Loss::too_deep);
        return nullptr;
    }
    uintptr_t low;
    const Frame* innermost = stack.top - 1;
    const Frame* outer = find_outer(thread, sp, bounds, &low);
    uint32_t marks = 0;
    if (outer == nullptr && innermost != stack.base) {
        marks = bounds.kind == StackKind::signal ? kOverlay : kFirst;
        if (marks == kOverlay) stack.may_have_handlers = true;
        // A thread's own stack was switched to by nobody.
        outer = bounds.kind == StackKind::own ? stack.base : switched_from(thread);
    } else if (outer != nullptr && outer != innermost) {
        marks = kElsewhere;
    }
    thread.switched_from = nullptr;
    Frame* frame = claim_frame(thread, regs, marks);
    if (marks != 0) frame->outer = uint32_t(outer - stack.base);
    // Not before: a handler that comes in between must not take it for its own stack's.
    stack.low = low | kLowBits;
    order_for_handlers();
    if (fgraph_handlers.enter == pass_by) stack.low = kNowhere;
    return frame;
}

Returning find_returning(uintptr_t sp, ftrace_regs* regs) {
    KeepHiLo keep;
    ThreadState& thread = *this_thread;
    end_taken(thread, regs);
    Frame* frame = thread.stack.find(sp);
    if (frame != nullptr) {
        drop_left_calls(thread, sp, true, bounds_of_stack(thread, sp), regs);
        return {frame, 0};
    }
    Frame taken;
    if (!take_from_other_threads(sp, &taken)) return {nullptr, search_dropped(thread.stack, sp)};
    return {push_taken(taken, sp), taken.ret};
}

void end_at_once(ThreadState& thread, Frame* frame, ftrace_regs* regs) {
    KeepHiLo keep;
    BlockSignals quiet;
    thread.stack.low = kNowhere;
    thread.stack.bury(*frame);
    end_without_return(thread, *frame, regs);
    thread.stack.trim();
}

void pop_rarely(ThreadState& thread, Frame* frame) {
    KeepHiLo keep;
    ShadowStack& stack = thread.stack;
    const uintptr_t sp = sp_of(*frame);
    stack.low = kNowhere;
    stack.bury(*frame);
    stack.trim();
    uintptr_t low;
    thread.switched_from = find_outer(thread, sp, bounds_of_stack(thread, sp), &low);
}

void end_open_calls(ThreadState& thread) {
    for (ShadowStack& stack = thread.stack; stack.top != stack.base + 1;) {
        Frame* frame = stack.top - 1;
        const uintptr_t sp = frame->sp;
        const StackKind kind = bounds_of_stack(thread, sp & ~kSpMarks).kind;
        const bool may_go_on = kind == StackKind::unknown || kind == StackKind::coroutine;
        const bool kept =
            sp != kDead && sp != kTaken && may_go_on && keep_for_other_threads(*frame);
        stack.fill_in(*frame);
        frame->sp = kDead;
        if (sp != kDead && !kept) end_without_return(thread, *frame, nullptr);
        frame->users = kNobody;
        stack.top = frame;
    }
}

}  // namespace mipstrace::fgraph
