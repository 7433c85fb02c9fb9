// Compare-and-swap of a word that only one thread and its signal handlers write: atomic with regard
// to interruption, with no barrier. The compiler's own atomics put a `sync` around ll/sc on MIPS
// even when asked for a relaxed order.
#pragma once

#include <cstdint>

namespace mipstrace {

// Stores `wanted` if `*at` is still `expected`. May fail for no reason.
inline bool local_cas(uintptr_t* at, uintptr_t expected, uintptr_t wanted) {
#if defined(__mips__) && _MIPS_SIM == _ABI64
    uintptr_t seen;
    asm volatile(
        ".set push\n"
        ".set noreorder\n"
        "lld  %[seen],%[at]\n"
        "bne  %[seen],%[expected],1f\n"
        "move %[seen],$0\n"
        "move %[seen],%[wanted]\n"
        "scd  %[seen],%[at]\n"
        "1:\n"
        ".set pop"
        : [seen] "=&r"(seen), [at] "+m"(*at)
        : [expected] "r"(expected), [wanted] "r"(wanted)
        : "memory");
    return seen != 0;
#else
    return __atomic_compare_exchange_n(at, &expected, wanted, true, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
#endif
}

}  // namespace mipstrace
