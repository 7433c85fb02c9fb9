// 64-bit counters that several threads, and processes with the same memory, add to. A machine of 32
// bits has no atomic addition of so many: there the carry comes a moment later.
#pragma once

#include <cstdint>

namespace mipstrace {

// Any context.
inline void add_to_counter(uint64_t* counter, uint64_t amount) {
#if __SIZEOF_POINTER__ == 8
    __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
#else
    using Half __attribute__((may_alias)) = uint32_t;
    Half* halves = reinterpret_cast<Half*>(counter);
    const bool low_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    Half* low = halves + (low_first ? 0 : 1);
    Half* high = halves + (low_first ? 1 : 0);
    const auto more = uint32_t(amount);
    const uint32_t sum = __atomic_add_fetch(low, more, __ATOMIC_RELAXED);
    const uint32_t carry = sum < more ? 1 : 0;
    if (uint32_t change = uint32_t(amount >> 32) + carry)
        __atomic_fetch_add(high, change, __ATOMIC_RELAXED);
#endif
}

}  // namespace mipstrace
