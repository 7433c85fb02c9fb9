// The calls of one thread whose return address was replaced, innermost last.
//
//   base                                                     top            limit
//   | sentinel  | frame A   | frame B   | frame C (claimed)  | free ...       |
//     sp = max    sp          sp          sp | kClaimed
//
// A frame is claimed (by a mark in the low bits of sp) while its entry or its return is being
// handled, so that a signal handler that interrupts this and traces itself pushes above it and
// leaves it alone, and so that the recorder can see whether it runs inside an interrupted self. (At
// the return of one kByList by kStage.)
// The marks also tell whether the frame is described in full: the recorder's own way pushes frames
// of three words.
//
// Frames are found again by sp, which is the same at a function's entry and at its return. A thread
// may run on several stacks (sigaltstack, coroutines), so the frame that returns need not be the
// innermost, and a frame with a lower sp is known to be dead only if it lies on the same stack.
//
// Frames of several stacks stand in the order of their entries. One whose stack is not that of the
// frame below it is marked, so that its return is not taken for the plain case:
//
//   main  resume | body  yield | resume  leaf          | : the stack changes
//                  kFirst        kElsewhere, outer = main
#pragma once

#include <mipstrace/fgraph.h>

#include <cstddef>
#include <cstdint>

#include "trampoline/frame_layout.h"

namespace mipstrace::fgraph {

struct DispatchList;
struct ShadowStack;

// Its size is a power of two, so that counting frames needs no division (nor hi and lo).
struct alignas(64) Frame {
    // If not described in full: its position only, and its depth, which belongs to the place.
    ftrace_graph_call call;
    uintptr_t sp;   // at the function's entry; | a mark; kDead
    uintptr_t ret;  // the true return address
    // If not described in full, these are not set: see users_of.
    alignas(8) uint32_t epoch;  // of registrations when the users were asked
    uint32_t users;  // that want the return, as far as they have been asked; | marks; | kStage
    uint32_t outer;  // at its entry, with a mark: index of the frame that it is called from
    uint32_t noted;  // kNoted: the recorder's own, see triggers.h in lib/record
    const DispatchList* list;  // kByList: of these users, as long as it has the frame's epoch
    ShadowStack* stack;        // belongs to the place, too
};
static_assert(sizeof(Frame) == 64);

// The frame of what a callback gets, while it runs.
inline Frame& frame_of(const ftrace_graph_call& call) {
    return *reinterpret_cast<Frame*>(reinterpret_cast<uintptr_t>(&call) - offsetof(Frame, call));
}

// Marks in Frame::sp. Stack pointers are multiples of 8 at least.
inline constexpr uintptr_t kByList = FRAME_BY_LIST;
inline constexpr uintptr_t kFull = FRAME_FULL;
inline constexpr uintptr_t kClaimed = FRAME_CLAIMED;
inline constexpr uintptr_t kClaimedByRecorder = FRAME_RECORDER_CLAIMED;
inline constexpr uintptr_t kSpMarks = FRAME_MARKS;

// In the place of a frame's stack pointer.
inline constexpr uintptr_t kDead = kFull;
inline constexpr uintptr_t kTaken = 8 | kFull;  // by another thread, where the call has returned

constexpr uintptr_t sp_of(const Frame& frame) {
    return frame.sp & ~kSpMarks;
}

// Marks in Frame::users. The frame below one with a mark is of another stack.
inline constexpr uint32_t kUsers = 0xffff;
inline constexpr uint32_t kOverlay = 1u << 16;    // the first on a signal stack
inline constexpr uint32_t kFirst = 1u << 17;      // the first on a stack that `outer` switched to
inline constexpr uint32_t kElsewhere = 1u << 18;  // called from `outer`, not from the one below
inline constexpr uint32_t kForeign = 1u << 19;    // copied from the thread that was called in
inline constexpr uint32_t kStackMarks = kOverlay | kFirst | kElsewhere | kForeign;
// These say nothing of the stack.
inline constexpr uint32_t kHasData = 1u << 20;  // see call_data.h
inline constexpr uint32_t kNoted = 1u << 21;    // Frame::noted is set
// Not 0 while the callbacks of a dispatch list run, at a return of a frame kByList, at an entry of
// one that is claimed: that one's users are to be, and no one has taken the call yet. So they are
// kNobody in the places behind the top, where the trampolines make frames.
inline constexpr uint32_t kStage = 0xffu << 24;
inline constexpr uint32_t kAsking = uint32_t(FRAME_ASKING) << 24;
inline constexpr uint32_t kNobody = kAsking;

constexpr bool is_claimed(const Frame& frame) {
    const uintptr_t mark = frame.sp & kSpMarks;
    return (mark & kClaimed) != 0 || (mark == kByList && (frame.users & kStage) != 0);
}
constexpr bool is_full(const Frame& frame) {
    const uintptr_t mark = frame.sp & kSpMarks;
    return mark == kByList || mark == kFull || mark == kClaimed;
}
// True for the frame of a call at `sp` that is not being handled.
constexpr bool is_complete_at(const Frame& frame, uintptr_t sp) {
    return frame.sp == sp || frame.sp == (sp | kFull) ||
           (frame.sp == (sp | kByList) && (frame.users & kStage) == 0);
}

// In the place of the epoch of a dispatch list that no frame may use any more. No frame has it:
// what stands there is an epoch or, if it was never set, 0.
inline constexpr uint32_t kNoEpoch = UINT32_MAX;

// The users of a frame, and its marks. The slot of the recorder is nobody else's, ever.
inline constexpr uint32_t kRecorderAlone = FGRAPH_RECORDER_ALONE;
constexpr uint32_t users_of(const Frame& frame) {
    if (!is_full(frame)) return kRecorderAlone;
    const bool is_asking = (frame.sp & kSpMarks) == kClaimed && (frame.users & kStage) != 0;
    return is_asking ? 0 : frame.users & ~kStage;
}

enum class StackKind : uint8_t { unknown, own, signal, coroutine };

// Where a stack is known to lie. Empty: nothing is known.
struct StackBounds {
    uintptr_t low = 0;
    uintptr_t high = 0;
    StackKind kind = StackKind::unknown;
    bool holds(uintptr_t address) const { return address >= low && address < high; }
    // A stack pointer on it: what it points to is below it.
    bool holds_sp(uintptr_t sp) const { return sp > low && sp <= high; }
};

// A `low` that no stack pointer is above.
inline constexpr uintptr_t kNowhere = UINTPTR_MAX;
inline constexpr uintptr_t kLowBits = 7;

// Owns nothing: the memory comes from its thread's state. Used by its thread only.
struct ShadowStack {
    Frame* top = nullptr;    // the first free frame
    Frame* limit = nullptr;  // of those that are ready: they know their depth
    Frame* base = nullptr;
    // A call with a stack pointer between this and the innermost frame's is nested in that one. All
    // low bits are set, so that it is below a stack pointer exactly if it is below that with marks.
    uintptr_t low = kNowhere;
    Frame* end = nullptr;            // of the memory
    bool may_have_handlers = false;  // frames with kOverlay
    bool may_have_gaps = false;      // dead frames below others

    // Takes `bytes` of memory for frames.
    void init(void* memory, size_t bytes);
    // Copies a frame to a place on this stack.
    static void copy(Frame& to, const Frame& from);
    // True if there is room for one more frame, after making more ready where need be.
    bool has_room();
    size_t depth() const { return base == nullptr ? 0 : size_t(top - base) - 1; }

    // Describes a frame in full, as far as anything is known.
    void fill_in(Frame& frame) const {
        if (is_full(frame))
            frame.users = users_of(frame);
        else
            describe(frame);
    }

    // Drops the frames that a call entered at `sp` shows to be dead, as left(frame) calls from the
    // innermost on: those at `sp` itself (unless the call is a tail call, whose return address is
    // already replaced), those below `sp` on the stack `bounds`, and, unless that is a signal
    // stack, those of signal handlers on theirs: who runs elsewhere has left them. No signal
    // handler may run.
    template <typename Left>
    void drop_left(uintptr_t sp, bool tail_call, const StackBounds& bounds, Left&& left);

    // True if drop_left may change anything.
    bool has_left(uintptr_t sp, bool tail_call, const StackBounds& bounds) const;

    // The frame of the call that returns at `sp`: the innermost with that sp, or null.
    Frame* find(uintptr_t sp) const;

    // Marks a frame as dead. It stays in its place until those above are dead, or gaps are closed.
    void bury(Frame& frame) {
        frame.sp = kDead;
        if (&frame != top - 1) may_have_gaps = true;
    }
    // Removes the dead frames at the top.
    void trim();

    // Drops the frames of signal handlers on a signal stack.
    template <typename Left>
    void drop_handlers(Left&& left);

    // The frame that a call at `sp` is made from: where its stack is known, the innermost live
    // frame that is `on_stack(frame_sp)`; else the nearest above `sp` of those. Or null. Where
    // nothing is known, `reaches` becomes the highest stack pointer of a frame below `sp`.
    template <typename OnStack>
    const Frame* find_outer(uintptr_t sp, bool is_known, OnStack&& on_stack,
                            uintptr_t* reaches) const;

    // Closes the gaps of dead frames. No frame may be claimed, no signal handler may run.
    void compact();

    // Live frames from `frame` on, itself not counted, that one of `users` has taken.
    uint32_t count_above(const Frame& frame, uint32_t users) const;

    // True if there are `count` live frames that one of `users` has taken.
    bool has_taken(size_t count, uint32_t users) const;

    // Frames that are claimed: the one being handled, and those whose handling was interrupted.
    size_t count_claimed() const;

    // Frames whose call one of `users` has taken, which the one whose entry is being handled is not
    // yet.
    size_t count_taken(uint32_t users) const;
    // The positions of these, `most` of them at most, the outermost first. Returns how many.
    size_t innermost_taken(uint32_t users, uint32_t* positions, size_t most) const;

  private:
    void describe(Frame& frame) const;
};

// What a call entered at `sp` tells of a frame. `outside`: it lies outside the call on the same
// stack, and so do all frames below it that lie on this stack.
enum class Fate { open, left, outside };
inline Fate fate_of(const Frame& frame, uintptr_t sp, bool tail_call, const StackBounds& bounds) {
    const uintptr_t frame_sp = sp_of(frame);
    const bool same_stack = bounds.holds_sp(frame_sp) && bounds.holds_sp(sp);
    if (frame_sp == sp ? !tail_call : frame_sp < sp && same_stack) return Fate::left;
    return same_stack ? Fate::outside : Fate::open;
}

inline bool ShadowStack::has_left(uintptr_t sp, bool tail_call, const StackBounds& bounds) const {
    if (top[-1].sp == kDead) return true;
    if (may_have_handlers && bounds.kind != StackKind::signal) return true;
    for (const Frame* f = top; --f != base;) {
        if (f->sp == kDead) continue;
        const Fate fate = fate_of(*f, sp, tail_call, bounds);
        if (fate != Fate::open) return fate == Fate::left;
    }
    return false;
}

template <typename Left>
void ShadowStack::drop_handlers(Left&& left) {
    may_have_handlers = false;
    for (Frame* f = top; --f > base;) {
        Frame* first = f;  // of those on one stack
        while ((users_of(*first) & kStackMarks) == 0 && first - 1 != base)
            first--;
        if ((users_of(*first) & kOverlay) != 0 && first->sp != kDead) {
            for (Frame* inner = f; inner >= first; inner--) {
                if (inner->sp == kDead) continue;
                fill_in(*inner);
                bury(*inner);
                left(*inner);
                trim();
            }
        }
        f = first;
    }
}

template <typename Left>
void ShadowStack::drop_left(uintptr_t sp, bool tail_call, const StackBounds& bounds, Left&& left) {
    if (may_have_handlers && bounds.kind != StackKind::signal) drop_handlers(left);
    for (Frame* f = top; --f != base;) {
        if (f->sp == kDead) continue;
        const Fate fate = fate_of(*f, sp, tail_call, bounds);
        if (fate == Fate::outside) break;
        if (fate == Fate::open) continue;
        fill_in(*f);
        bury(*f);
        left(*f);
        trim();  // now, or each one that is left would be counted against all before it
    }
    trim();
}

template <typename OnStack>
const Frame* ShadowStack::find_outer(uintptr_t sp, bool is_known, OnStack&& on_stack,
                                     uintptr_t* reaches) const {
    const Frame* outer = nullptr;
    for (const Frame* f = top; --f != base;) {
        if (f->sp == kDead) continue;
        const uintptr_t frame_sp = sp_of(*f);
        if (frame_sp < sp) {
            if (!is_known && frame_sp > *reaches) *reaches = frame_sp;
        } else if (outer == nullptr || frame_sp < sp_of(*outer)) {
            if (!on_stack(frame_sp)) continue;
            outer = f;
            if (is_known) break;
        }
    }
    return outer;
}

}  // namespace mipstrace::fgraph
