// What is kept for each thread: its shadow stack, the marks that registration waits on, and the
// state of the user that may stand in for the core (the recorder).
//
//   TLS          block in mapped memory, never unmapped, taken over by a later thread
//   this_thread -> | handler's words | top, limit, base | ... | frame 0 | frame 1 | ...
//                  | wiped   |         the page boundary lies behind what a fork wipes
//
//   all_blocks ------>  block -> block -> ...    of all threads, living or not: what an unwinder
//                                                searches for the true address of a frame
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

inline constexpr size_t kWipedBytes = 64;

struct alignas(kWipedBytes) ThreadState {
    // For the handlers of the user that stands in for the core. Zero in a new thread; and the first
    // ones in the child of a fork, however it was made, where the kernel knows MADV_WIPEONFORK.
    uintptr_t wiped_words[kWipedBytes / sizeof(uintptr_t)];
    uintptr_t handler_words[8];
    alignas(64) ShadowStack stack;  // offsets of its fields: see unwind_rule.h
    // The callback that runs, see callback_mark; 0 none. Never nested: see enter_leave.cpp.
    std::atomic<uint32_t> in_callback;
    std::atomic<bool> taken;  // by a living thread
    uint8_t destructor_rounds;
    StackBounds bounds;       // of the thread's own stack, once asked for
    ThreadState* next_block;  // of all_blocks
    StackBounds foreign;      // a mapping that was found to hold another stack
};

// ThreadState::in_callback for the user in `slot` and the call at `depth`.
constexpr uint32_t callback_mark(unsigned slot, int depth) {
    return uint32_t(depth) << 8 | (slot + 1);
}
constexpr bool is_callback_in(uint32_t mark, unsigned slot) {
    return (mark & 0xff) == slot + 1;
}
constexpr bool is_callback_of(uint32_t mark, int depth) {
    return mark != 0 && mark >> 8 == uint32_t(depth);
}

// A thread that has made no traced call yet has no block: its pointer is to `no_thread`, which has
// no room for a frame, so that its first call takes the way of the rare cases. So has a thread
// past its last destructor of thread-specific data, and one for which there was no memory.
extern ThreadState no_thread __attribute__((visibility("hidden")));
extern ThreadState gone_thread __attribute__((visibility("hidden")));
extern thread_local constinit ThreadState* this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Once, before the first traced call: how many frames a thread's shadow stack holds, and what to
// call in a thread that has made its last traced call, before its block is given to another.
void prepare_threads(size_t max_depth, void (*on_exit)());

// Gives the calling thread a block. Null: it gets none.
ThreadState* set_up_thread();

// In the child of a fork: the other threads are not there any more.
void forget_other_threads();

// Calls `visit` for the block of each living thread.
void for_each_thread(void (*visit)(ThreadState&, void*), void* context);

// The frame of a call that another thread made and that returns at `sp` in this one, as coroutines
// do that are resumed by another thread than before. Or null.
Frame* find_in_other_threads(uintptr_t sp);

// The bounds of the stack that `sp` is on, as far as they are certain: the signal stack while it
// is in use, or the thread's own. System calls; for rare cases only.
StackBounds bounds_of_stack(ThreadState& thread, uintptr_t sp);

// Once, before the first traced call: an address on the main thread's stack, such as its argv.
void set_main_stack_marker(const void* marker);

}  // namespace mipstrace::fgraph
