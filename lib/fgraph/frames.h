// The steps of pushing and popping a frame, inline for the core and for handlers that do without
// it. Each order of stores below is one that a signal handler of the same thread, which may trace
// itself, can interrupt anywhere.
#pragma once

#include <atomic>

#include "lib/fgraph/core.h"
#include "lib/fgraph/ftrace_regs.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::fgraph {

// Orders this thread's stores against its own signal handlers; other threads never look.
inline void order_for_handlers() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

inline uintptr_t handler_address() {
    return reinterpret_cast<uintptr_t>(&return_to_handler);
}

inline uintptr_t exit_sp(const ftrace_regs* regs) {
    return reinterpret_cast<uintptr_t>(regs) + FTRACE_REGS_SIZE;
}

inline uintptr_t entry_sp(const ftrace_regs* regs) {
    return exit_sp(regs) + regs->frame_size;
}

// True in the plain case: there is room, and the innermost frame is of an outer call on this stack.
inline bool can_push(const ThreadState& thread, uintptr_t sp) {
    const Frame* frame = thread.stack.top;
    return frame != thread.stack.limit && frame[-1].sp > (sp | kSpMarks) && thread.stack.low < sp;
}

// Claims the next frame and fills it in. It is claimed before and after it is published, since a
// handler in between may have used its place.
inline Frame* claim_frame(ThreadState& thread, const ftrace_regs* regs, uint32_t marks) {
    const uintptr_t claimed = entry_sp(regs) | kClaimed;
    const uintptr_t link = uintptr_t(regs->gpr[25]);
    Frame* frame = thread.stack.top;
    frame->sp = claimed;
    order_for_handlers();
    thread.stack.top = frame + 1;
    order_for_handlers();
    frame->sp = claimed;
    frame->users = marks;
    frame->ret = uintptr_t(regs->gpr[31]);
    frame->call.func = link - mips::kSledBytes;
    frame->call.position = uint32_t(link) - uint32_t(regs->bias);
    order_for_handlers();
    return frame;
}

// Makes a claimed frame one that a return finds; that of the recorder alone, by its own way.
inline void complete_frame(Frame* frame) {
    order_for_handlers();
    frame->sp = sp_of(*frame) | (frame->users == kRecorderAlone ? 0 : kFull);
}

}  // namespace mipstrace::fgraph
