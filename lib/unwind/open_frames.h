// The open traced calls of a thread, from the inside out, as they lie on the stack that is walked.
#pragma once

#include <cstdint>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::unwind {

class OpenFrames {
  public:
    // Outside the call of `frame`, which is on `stack`.
    OpenFrames(const fgraph::ShadowStack& stack, const fgraph::Frame& frame)
        : stack_(stack), at_(&frame) {}

    // The true return address of the call that returns to return_to_handler with this stack
    // pointer, and goes there. 0: there is no such call.
    uintptr_t find(uintptr_t sp);
    // Goes to the next call, for a walk that has lost its way: its caller is known. Null: there is
    // none on this stack. `sp`: that of the walk, none on the same stack is below it.
    const fgraph::Frame* next(uintptr_t sp);

  private:
    const fgraph::Frame* outside(const fgraph::Frame* frame, bool* same_stack) const;

    const fgraph::ShadowStack& stack_;
    const fgraph::Frame* at_;
};

}  // namespace mipstrace::unwind
