// The calls of one thread whose return address was replaced, innermost last.
//
//   base                                                     top            limit
//   | sentinel  | frame A   | frame B   | frame C (claimed)  | free ...       |
//     sp = max    sp          sp          sp | 1
//
// A frame is claimed (low bit of sp set) while its entry or its return is being handled, so that a
// signal handler that interrupts this and traces itself pushes above it and leaves it alone, and
// so that the recorder can see whether it runs inside an interrupted self.
//
// Frames are found again by sp, which is the same at a function's entry and at its return. A thread
// may run on several stacks (sigaltstack, coroutines), so the frame that returns need not be the
// innermost, and a frame with a lower sp is known to be dead only if it lies on the same stack.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::fgraph {

// Its size is a power of two, so that counting frames needs no division (nor hi and lo).
struct alignas(sizeof(uintptr_t) * 8) Frame {
    uintptr_t sp;   // at the function's entry; | kClaimed; kDead
    uintptr_t ret;  // the true return address
    uintptr_t func;
    uint32_t position;
    uint32_t epoch;  // of registrations when the frame was pushed
    uint16_t users;  // that want the return, as far as they have been asked
};
static_assert(sizeof(Frame) == sizeof(uintptr_t) * 8);

inline constexpr uintptr_t kClaimed = 1;
inline constexpr uintptr_t kDead = 0;

// Where a stack is known to lie. Empty: nothing is known.
struct StackBounds {
    uintptr_t low = 0;
    uintptr_t high = 0;
    bool holds(uintptr_t address) const { return address >= low && address < high; }
    // A stack pointer on it: what it points to is below it.
    bool holds_sp(uintptr_t sp) const { return sp > low && sp <= high; }
};

// Owns nothing: the memory comes from its thread's state. Used by its thread only.
struct ShadowStack {
    Frame* top = nullptr;  // the first free frame
    Frame* limit = nullptr;
    Frame* base = nullptr;

    // Takes `bytes` of zeroed memory for frames.
    void init(void* memory, size_t bytes);
    size_t depth() const { return base == nullptr ? 0 : size_t(top - base) - 1; }

    // Drops the frames that a call entered at `sp` shows to be dead, as left(frame) calls from the
    // innermost on: those at `sp` itself (unless the call is a tail call, whose return address is
    // already replaced), and those below `sp` on the stack `bounds`. No signal handler may run.
    template <typename Left>
    void drop_left(uintptr_t sp, bool tail_call, const StackBounds& bounds, Left&& left);

    // True if drop_left would change anything.
    bool has_left(uintptr_t sp, bool tail_call, const StackBounds& bounds) const;

    // The frame of the call that returns at `sp`: the innermost with that sp, or null.
    Frame* find(uintptr_t sp) const;

    // Removes the dead frames at the top.
    void trim();

    // Frames that are claimed: the one being handled, and those whose handling was interrupted.
    size_t count_claimed() const;

    // Frames whose call a user has taken, which the one whose entry is being handled is not yet.
    size_t count_taken() const;
    // The positions of these, `most` of them at most, the outermost first. Returns how many.
    size_t innermost_taken(uint32_t* positions, size_t most) const;
};

// What a call entered at `sp` tells of a frame. `outside`: it lies outside the call on the same
// stack, and so do all frames below it that lie on this stack.
enum class Fate { open, left, outside };
inline Fate fate_of(const Frame& frame, uintptr_t sp, bool tail_call, const StackBounds& bounds) {
    const uintptr_t frame_sp = frame.sp & ~kClaimed;
    const bool same_stack = bounds.holds_sp(frame_sp) && bounds.holds_sp(sp);
    if (frame_sp == sp ? !tail_call : frame_sp < sp && same_stack) return Fate::left;
    return same_stack ? Fate::outside : Fate::open;
}

inline bool ShadowStack::has_left(uintptr_t sp, bool tail_call, const StackBounds& bounds) const {
    if (top[-1].sp == kDead) return true;
    for (const Frame* f = top; --f != base;) {
        if (f->sp == kDead) continue;
        const Fate fate = fate_of(*f, sp, tail_call, bounds);
        if (fate != Fate::open) return fate == Fate::left;
    }
    return false;
}

template <typename Left>
void ShadowStack::drop_left(uintptr_t sp, bool tail_call, const StackBounds& bounds, Left&& left) {
    for (Frame* f = top; --f != base;) {
        if (f->sp == kDead) continue;
        const Fate fate = fate_of(*f, sp, tail_call, bounds);
        if (fate == Fate::outside) break;
        if (fate == Fate::open) continue;
        f->sp = kDead;
        left(*f);
    }
    trim();
}

}  // namespace mipstrace::fgraph
