// Entries and returns that are not nested in the innermost call of the same stack: after longjmp or
// unwinding, on a signal stack, on the stack of a coroutine, in a thread's first call. Rare, hence
// slow: they may look at every frame and make system calls. Any context, as the core's.
#pragma once

#include "lib/fgraph/frames.h"

namespace mipstrace::fgraph {

// Makes room for the entry, drops the frames that it shows to be dead, and claims its frame. Null:
// the call goes by, and is counted as lost.
Frame* claim_frame_rarely(ftrace_regs* regs);

struct Returning {
    Frame* frame;       // null: no frame can be had for this return
    uintptr_t address;  // then: where it goes
};

// The frame of the call that returns at `sp` and is not the innermost, after dropping those that
// the return shows to be dead. That of a call made in another thread is moved to this one.
Returning find_returning(uintptr_t sp, ftrace_regs* regs);

// Ends the call of `frame`, which was just entered and whose return can't be seen.
void end_at_once(ThreadState& thread, Frame* frame, ftrace_regs* regs);

// Removes the claimed `frame`, which has a mark or isn't the innermost.
void pop_rarely(ThreadState& thread, Frame* frame);

}  // namespace mipstrace::fgraph
