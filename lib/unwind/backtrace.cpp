// backtrace of libc, without the frames that tracing adds. libc finds its unwinder by itself, so
// that _Unwind_Backtrace of this library does not help it.
#include <climits>
#include <cstddef>
#include <cstdint>

#include "lib/base/arena.h"
#include "lib/unwind/next_definition.h"
#include "lib/unwind/own_frames.h"

namespace mipstrace::unwind {

namespace {

constinit NextDefinition<int(void**, int)> next_backtrace("backtrace");

// Copies up to `size` of the addresses that are the program's; `to` may be `from`.
int keep_programs(void* const* from, int count, void** to, int size) {
    int kept = 0;
    for (int i = 0; i < count && kept < size; i++) {
        if (!is_own_frame(reinterpret_cast<uintptr_t>(from[i]))) to[kept++] = from[i];
    }
    return kept;
}

}  // namespace

}  // namespace mipstrace::unwind

using namespace mipstrace;
using namespace mipstrace::unwind;

extern "C" MT_UNWIND_WRAPPER int backtrace(void** addresses, int size) {
    const auto next = next_backtrace.find();
    if (next == nullptr || size <= 0) return 0;
    const int found = next(addresses, size);
    const int kept = keep_programs(addresses, found, addresses, size);
    // There is more if it was cut short. Each frame of the program has at most two of ours behind
    // it, and this function's is in front.
    if (found < size || size > INT_MAX / 3 - 1) return kept;
    const int wanted = 3 * size + 1;
    const size_t bytes = size_t(wanted) * sizeof(void*);
    auto* longer = static_cast<void**>(map_pages(bytes));
    if (longer == nullptr) return kept;
    const int all = keep_programs(longer, next(longer, wanted), addresses, size);
    unmap_pages(longer, bytes);
    return all;
}
