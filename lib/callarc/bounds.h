// The counters of this module, as the linker has put them together.
#pragma once

#include "lib/callarc/callarc.h"

namespace mipstrace::callarc {

template <typename T>
struct Range {
    T* first;
    T* last;
    T* begin() const { return first; }
    T* end() const { return last; }
};

struct Counters {
    Range<CallArc> arcs;
    Range<CallArcList> lists;
    Range<const CallArcThunk> thunks;
};

extern const Counters counters __attribute__((visibility("hidden")));

}  // namespace mipstrace::callarc
