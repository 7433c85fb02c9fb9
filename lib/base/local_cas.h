// Compare-and-swap of a word that only one thread and its signal handlers write: atomic with regard
// to interruption, with no barrier. The compiler's own atomics put a `sync` around ll/sc on MIPS
// even when asked for a relaxed order.
#pragma once

#include <cstdint>

#if _MIPS_SZPTR == 64
#define MT_LL "lld"
#define MT_SC "scd"
#else
#define MT_LL "ll"
#define MT_SC "sc"
#endif

namespace mipstrace {

// Stores `wanted` if `*at` is still `expected`. May fail for no reason.
inline bool local_cas(uintptr_t* at, uintptr_t expected, uintptr_t wanted) {
#ifdef __mips__
    uintptr_t seen;
    asm volatile(
        ".set push\n"
        ".set noreorder\n" MT_LL
        "  %[seen],%[at]\n"
        "bne  %[seen],%[expected],1f\n"
        "move %[seen],$0\n"
        "move %[seen],%[wanted]\n" MT_SC
        "  %[seen],%[at]\n"
        "1:\n"
        ".set pop"
        : [seen] "=&r"(seen), [at] "+ZC"(*at)
        : [expected] "r"(expected), [wanted] "r"(wanted)
        : "memory");
    return seen != 0;
#else
    return __atomic_compare_exchange_n(at, &expected, wanted, true, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
#endif
}

}  // namespace mipstrace

#undef MT_LL
#undef MT_SC
