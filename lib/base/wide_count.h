// Counts of 64 bits that threads share, for machines of any width.
#pragma once

#include <cstdint>

namespace mipstrace {

// Exact, whatever other threads and handlers of this one do. Where there are atomic operations on
// 32 bits only, who reads while it overflows may see it 2^32 too small.
inline void add_one_atomically(uint64_t* count) {
#if __SIZEOF_POINTER__ == 8 || defined(__mips64)
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#else
    constexpr int kLow = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1;
    using Half [[gnu::may_alias]] = uint32_t;
    auto* half = reinterpret_cast<Half*>(count);
    if (__atomic_add_fetch(&half[kLow], 1, __ATOMIC_RELAXED) == 0)
        __atomic_add_fetch(&half[1 - kLow], 1, __ATOMIC_RELAXED);
#endif
}

}  // namespace mipstrace
