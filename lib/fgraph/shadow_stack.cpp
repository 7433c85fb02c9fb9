#include "lib/fgraph/shadow_stack.h"

#include "lib/fgraph/call_data.h"

namespace mipstrace::fgraph {

void ShadowStack::init(void* memory, size_t bytes) {
    base = static_cast<Frame*>(memory);
    end = base + bytes / sizeof(Frame);
    base->sp = ~kSpMarks;
    top = base + 1;
    limit = top;
    has_room();
    low = kNowhere;
    may_have_handlers = false;
    may_have_gaps = false;
}

// A handler that comes in between does the same.
bool ShadowStack::has_room() {
    constexpr ptrdiff_t kStep = 256;
    if (top != limit) return true;
    Frame* const ready = end - limit < kStep ? end : limit + kStep;
    for (Frame* frame = limit; frame < ready; frame++) {
        frame->call.depth = int(frame - base) - 1;
        frame->stack = this;
    }
    limit = ready;
    return top != limit;
}

void ShadowStack::copy(Frame& to, const Frame& from) {
    const int depth = to.call.depth;
    ShadowStack* const stack = to.stack;
    to = from;
    to.call.depth = depth;
    to.stack = stack;
    move_call_data(to, from);
}

void ShadowStack::describe(Frame& frame) const {
    frame.call.func = 0;
    frame.users = kRecorderAlone;
    frame.sp = sp_of(frame) | (is_claimed(frame) ? kClaimed : kFull);
}

Frame* ShadowStack::find(uintptr_t sp) const {
    for (Frame* f = top; --f > base;) {
        if (is_complete_at(*f, sp)) return f;
    }
    return nullptr;
}

void ShadowStack::trim() {
    while (top[-1].sp == kDead)
        (--top)->users = kNobody;
}

// A frame is written to its new place before it goes from its old one, so that a thread that looks
// for it from the top down finds it.
void ShadowStack::compact() {
    Frame* to = base + 1;
    for (Frame* from = to; from != top; from++) {
        if (from->sp != kDead) {
            if (to != from) copy(*to, *from);
            to++;
        }
        if (to <= from) {
            from->sp = kDead;
            from->users = kNobody;
        }
    }
    top = to;
    may_have_gaps = false;
}

namespace {

// Always inlined: some of its users run with signals blocked, which a test that stops at each
// instruction leaves out by their names.
[[gnu::always_inline]] inline bool is_taken(const Frame& frame, uint32_t users) {
    return frame.sp != kDead && (users_of(frame) & users) != 0;
}

}  // namespace

uint32_t ShadowStack::count_above(const Frame& frame, uint32_t users) const {
    uint32_t count = 0;
    for (const Frame* f = &frame + 1; f < top; f++)
        count += is_taken(*f, users);
    return count;
}

bool ShadowStack::has_taken(size_t count, uint32_t users) const {
    for (const Frame* f = base + 1; f < top && count != 0; f++)
        count -= is_taken(*f, users);
    return count == 0;
}

size_t ShadowStack::count_claimed() const {
    size_t count = 0;
    for (const Frame* f = base + 1; f < top; f++)
        count += is_claimed(*f);
    return count;
}

size_t ShadowStack::count_taken(uint32_t users) const {
    size_t count = 0;
    for (const Frame* f = base + 1; f < top; f++)
        count += is_taken(*f, users);
    return count;
}

size_t ShadowStack::innermost_taken(uint32_t users, uint32_t* positions, size_t most) const {
    const Frame* first = top;
    for (size_t found = 0; found < most && first - 1 > base;)
        found += is_taken(*--first, users);
    size_t count = 0;
    for (const Frame* f = first; f < top; f++)
        if (is_taken(*f, users)) positions[count++] = f->call.position;
    return count;
}

}  // namespace mipstrace::fgraph
