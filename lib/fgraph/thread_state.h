// What the core keeps for each thread: its shadow stack and the marks that registration waits on.
#pragma once

#include <atomic>
#include <cstdint>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

enum class Phase : uint8_t {
    fresh,  // nothing set up; the first traced call does it
    live,
    broken,  // no memory: its calls are counted, not traced
    gone,    // the thread is past its last destructor of thread-specific data
};

// Lives in static TLS, so that finding it is one instruction and one constant. The other threads
// read in_callback only, through the list of all threads.
struct ThreadState {
    ShadowStack stack;
    // Slot + 1 of the user whose callback runs, 0 none. Never nested: see in enter_leave.cpp.
    std::atomic<uint32_t> in_callback;
    Phase phase;
    uint8_t destructor_rounds;
    StackBounds bounds;  // of the thread's own stack, once asked for
    ThreadState* next;   // list of all live threads, see for_each_thread
    ThreadState* previous;
    size_t stack_bytes;
};

extern thread_local constinit ThreadState this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Once, before the first traced call: how many frames a thread's shadow stack holds, and what to
// call in a thread that has made its last traced call, before that memory is freed.
void prepare_threads(size_t max_depth, void (*on_exit)());

// Gives the calling thread its shadow stack. False: it has none and gets none (Phase says why).
bool set_up_thread(ThreadState& thread);

// In the child of a fork: the other threads are not there any more.
void forget_other_threads();

// Calls `visit` for each live thread under the lock of the list.
void for_each_thread(void (*visit)(ThreadState&, void*), void* context);

// The bounds of the stack that `sp` is on, as far as they are certain: the signal stack while it
// is in use, or the thread's own. System calls; for rare cases only.
StackBounds bounds_of_stack(ThreadState& thread, uintptr_t sp);

// Once, before the first traced call: an address on the main thread's stack, such as its argv.
void set_main_stack_marker(const void* marker);

}  // namespace mipstrace::fgraph
