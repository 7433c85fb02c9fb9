// The whole call stack of a thread, untraced frames included, at the entry of a traced call.
//
//   registers --> frame_search (code) --> caller's registers --> ...
//                     |                        | return_to_handler
//                     | lost                   v
//                     +--------------> open_frames (shadow stack): the true caller
//
// docs/stacks.md tells why it is done this way.
#pragma once

#include <cstdint>

#include "lib/fgraph/ftrace_regs.h"
#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::unwind {

// Marks in the low bits of an address of a stack. None: what a call returns to.
inline constexpr uintptr_t kInterrupted = 1;  // by the signal whose handler is the one inside
// It is the position of a traced function whose call is open. Between the one inside and this some
// may be missing, or that one is this function itself.
inline constexpr uintptr_t kOpenCall = 3;

struct Walk {
    unsigned count = 0;
    bool is_cut = false;  // there are more
};

// Callers of the call at hand, the innermost first, `most` of them at most; each is `put` as it is
// found. `frame` and `regs`: as the entry callback of a user has them; with all registers, or
// frames that are found by $30 are lost. Any context; system calls. hi and lo are the caller's to
// keep. Of a stack that is broken: up to there, or what is known of traced calls. Takes 2.5 KiB of
// stack.
Walk walk_stack(const fgraph::Frame& frame, const ftrace_regs& regs, unsigned most,
                void (*put)(unsigned index, uintptr_t address, void* context), void* context);

}  // namespace mipstrace::unwind
