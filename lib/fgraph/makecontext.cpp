// What the wrapper of makecontext() (trampoline/makecontext.S) does before it goes on to libc's.
#include <ucontext.h>

#include "lib/base/next_function.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/coroutine_stacks.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::fgraph {

namespace {

// The innermost call whose frame may hold `bounds`, which lie in the thread's own stack.
uintptr_t find_holder(const ThreadState& thread, const StackBounds& bounds) {
    if (thread.stack.base == nullptr || !thread.bounds.holds(bounds.low)) return 0;
    for (const Frame* frame = thread.stack.top; --frame != thread.stack.base;) {
        const uintptr_t sp = sp_of(*frame);
        if (sp >= bounds.high && thread.bounds.holds_sp(sp)) return sp;
    }
    return 0;
}

}  // namespace

}  // namespace mipstrace::fgraph

using namespace mipstrace::fgraph;

// Returns libc's makecontext.
extern "C" __attribute__((visibility("hidden"))) void* note_coroutine_stack(
    const ucontext_t* context) {
    const uintptr_t low = reinterpret_cast<uintptr_t>(context->uc_stack.ss_sp);
    const StackBounds bounds{low, low + context->uc_stack.ss_size, StackKind::coroutine};
    if (bounds.high > bounds.low) {
        // Makes sure that the thread knows where its own stack is.
        if (this_thread->stack.base != nullptr)
            bounds_of_stack(*this_thread, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
        add_coroutine_stack({bounds, find_holder(*this_thread, bounds)});
    }
    return reinterpret_cast<void*>(mipstrace::next_function<void()>("makecontext"));
}
