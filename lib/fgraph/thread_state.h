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

#include "lib/base/clock.h"
#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

inline constexpr size_t kWipedBytes = 64;

struct alignas(kWipedBytes) ThreadState {
    // For the handlers of the user that stands in for the core. Zero in a new thread; and the first
    // ones in the child of a fork, however it was made, where the kernel knows MADV_WIPEONFORK.
    uintptr_t wiped_words[kWipedBytes / sizeof(uintptr_t)] = {};
    uintptr_t handler_words[8] = {};
    alignas(64) ShadowStack stack;  // offsets of its fields: see unwind_rule.h
    // The same for all, but where the trampolines find them.
    void (*return_address)() = nullptr;  // return_to_handler
    // The frame of the call for which callbacks run, of several the first; see callbacks.h.
    std::atomic<const Frame*> in_callback = nullptr;
    ClockGettime clock = nullptr;                     // the vDSO's clock_gettime, or null
    ThreadState* next_block = nullptr;                // of all_blocks
    const void* lists = nullptr;                      // fgraph_lists
    std::atomic<unsigned char*> call_data = nullptr;  // see call_data.h
    std::atomic<bool> taken = false;                  // by a living thread, or has_no_thread
    uint8_t destructor_rounds = 0;
    bool has_no_thread = false;                  // holds frames of threads that are gone
    std::atomic<bool> has_taken_frames = false;  // some are kTaken
    StackBounds bounds = {};                     // of the thread's own stack, once asked for
    StackBounds foreign[4] = {};                 // mappings that were found to hold other stacks
    uint8_t next_foreign = 0;                    // which of them is found anew next
    // Innermost frame of the stack that was on when the last return off the plain way was handled;
    // null: the innermost of all.
    const Frame* switched_from = nullptr;
    const Frame* compact_at = nullptr;  // when `top` is here, it is time to close gaps
};

// A thread that has made no traced call yet has no block: its pointer is to `no_thread`, which has
// no room for a frame and none that could return, so that its first call takes the way of the rare
// cases. So has a thread past its last destructor of thread-specific data, and one for which there
// was no memory.
extern ThreadState no_thread __attribute__((visibility("hidden")));
extern ThreadState gone_thread __attribute__((visibility("hidden")));
extern thread_local constinit ThreadState* this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Once, before the first traced call: how many frames a thread's shadow stack holds, and what to
// call in a thread that has made its last traced call, before its block is given to another.
void prepare_threads(size_t max_depth, void (*on_exit)());

// The block of the calling thread, which gets one if it has none. Null: there is none to be had.
ThreadState* set_up_thread();

// In the child of a fork: the other threads are not there any more. Calls that they made in
// coroutines stay known, since those may be resumed.
void forget_other_threads();

// Calls `visit` for the block of each living thread.
void for_each_thread(void (*visit)(ThreadState&, void*), void* context);

// Takes the frame of a call that another thread made and that returns at `sp` in this one, as
// coroutines do that are resumed by another thread than before. False: there is none.
bool take_from_other_threads(uintptr_t sp, Frame* frame);

// Copies a frame of the calling thread, which ends, to where take_from_other_threads finds it: the
// coroutine that made the call may go on in another thread. False: there is no room.
bool keep_for_other_threads(const Frame& frame);

// The bounds of the stack that `sp` is on, as far as they are certain: the signal stack while it
// is in use, the thread's own, one that makecontext was told of. System calls; for rare cases only.
StackBounds bounds_of_stack(ThreadState& thread, uintptr_t sp);

// The frame of the innermost live call on the stack of a call at `sp`, whose bounds_of_stack are
// `bounds`; null where there is none. A further call of this stack with a stack pointer above
// `reaches` is sure to be on it, too. System calls.
const Frame* find_outer(ThreadState& thread, uintptr_t sp, const StackBounds& bounds,
                        uintptr_t* reaches);

// Once, before the first traced call: an address on the main thread's stack, such as its argv.
void set_main_stack_marker(const void* marker);

}  // namespace mipstrace::fgraph
