#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

void ShadowStack::init(void* memory, size_t bytes) {
    base = static_cast<Frame*>(memory);
    limit = base + bytes / sizeof(Frame);
    base->sp = ~kClaimed;
    top = base + 1;
}

Frame* ShadowStack::find(uintptr_t sp) const {
    for (Frame* f = top; --f > base;) {
        if (f->sp == sp) return f;
    }
    return nullptr;
}

void ShadowStack::trim() {
    while (top[-1].sp == kDead)
        top--;
}

size_t ShadowStack::count_claimed() const {
    size_t count = 0;
    for (const Frame* f = base + 1; f < top; f++)
        count += f->sp & kClaimed;
    return count;
}

size_t ShadowStack::count_taken() const {
    size_t count = 0;
    for (const Frame* f = base + 1; f < top; f++)
        count += f->sp != kDead && f->users != 0;
    return count;
}

}  // namespace mipstrace::fgraph
