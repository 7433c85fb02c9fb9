// The stacks that the program has given to makecontext(): where one ends and the next begins, which
// nothing else tells. A range stays known until another one overlaps it, since nobody tells when a
// coroutine is over; a thread's own stack takes precedence (stack_bounds.cpp).
#pragma once

#include <cstdint>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

struct CoroutineStack {
    StackBounds bounds;  // empty: none
    // Of the innermost traced call whose frame may hold this stack, where it lies in the own stack
    // of the thread that made it. 0: there is no such call.
    uintptr_t holder_sp = 0;
};

// The one that `sp` is on. Any context.
CoroutineStack find_coroutine_stack(uintptr_t sp);

// The highest end of one at or below `sp`; 0: there is none. Any context.
uintptr_t end_of_coroutine_stack_below(uintptr_t sp);

// From now on [low, high) is one. Any context; takes system calls.
void add_coroutine_stack(const CoroutineStack& stack);

// In the child of a fork, for its only thread: another one may have been adding a stack. Then what
// is known is halfway changed, and is forgotten.
void settle_coroutine_stacks_after_fork();

}  // namespace mipstrace::fgraph
