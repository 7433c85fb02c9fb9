#include "lib/unwind/open_frames.h"

#include "lib/fgraph/frames.h"

namespace mipstrace::unwind {

namespace {

using fgraph::Frame;

// Calls that were left lie between those that are open, and suspended stacks.
constexpr unsigned kMostSkipped = 4096;

}  // namespace

const Frame* OpenFrames::outside(const Frame* frame, bool* same_stack) const {
    const uint32_t marks = fgraph::users_of(*frame) & fgraph::kStackMarks;
    if ((marks & (fgraph::kFirst | fgraph::kForeign)) != 0) return nullptr;
    if ((marks & fgraph::kElsewhere) != 0)
        return frame->outer != 0 ? &stack_.base[frame->outer] : nullptr;
    if ((marks & fgraph::kOverlay) != 0) *same_stack = false;
    const Frame* next = frame - 1;
    while (next > stack_.base && next->sp == fgraph::kDead)
        next--;
    return next > stack_.base ? next : nullptr;
}

uintptr_t OpenFrames::find(uintptr_t sp) {
    bool same_stack = true;
    const Frame* frame = at_;
    for (unsigned i = 0; i < kMostSkipped; i++) {
        frame = outside(frame, &same_stack);
        if (frame == nullptr) return 0;
        // Of several with one stack pointer, tail calls, the outermost has the true address.
        if (fgraph::sp_of(*frame) != sp || frame->ret == fgraph::handler_address()) continue;
        at_ = frame;
        return frame->ret;
    }
    return 0;
}

const Frame* OpenFrames::next(uintptr_t sp) {
    bool same_stack = true;
    const Frame* frame = at_;
    for (unsigned i = 0; i < kMostSkipped; i++) {
        frame = outside(frame, &same_stack);
        if (frame == nullptr) return nullptr;
        if ((same_stack && fgraph::sp_of(*frame) < sp) || frame->ret == fgraph::handler_address())
            continue;
        at_ = frame;
        return frame;
    }
    return nullptr;
}

}  // namespace mipstrace::unwind
