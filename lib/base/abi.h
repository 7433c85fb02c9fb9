// What differs between the ABIs of MIPS for C++; trampoline/abi_macros.h is the same for the
// assembler. Elsewhere it says what the machine that unit tests run on makes of it.
#pragma once

#include <cstdint>

#if defined(__mips__) && !defined(_ABIO32)
#define _ABIO32 1  // the compiler defines its own ABI alone
#endif

namespace mipstrace {

// An integer as wide as a register: on n32 wider than long and than a pointer.
#if defined(__mips__) && _MIPS_SIM != _ABIO32
using RegisterWord = int64_t;
#else
using RegisterWord = long;
#endif

// The kernel's struct timespec of the system calls without "64" in their names, and of the vDSO.
// libc's may be another one: musl's has 64-bit times everywhere.
struct KernelTimespec {
    long seconds;
    long nanoseconds;
};

// The kernel's sigset_t: 128 signals on MIPS, in words of the ABI.
#ifdef __mips__
inline constexpr int kSignals = 128;
#else
inline constexpr int kSignals = 64;
#endif
struct KernelSigset {
    static constexpr int kBits = 8 * sizeof(unsigned long);
    unsigned long words[kSignals / kBits];

    static constexpr KernelSigset all() {
        KernelSigset set{};
        for (unsigned long& word : set.words)
            word = ~0ul;
        return set;
    }
    static constexpr KernelSigset of(int signal) {
        KernelSigset set{};
        set.words[(signal - 1) / kBits] = 1ul << (signal - 1) % kBits;
        return set;
    }
    bool holds(int signal) const {
        return (words[(signal - 1) / kBits] >> (signal - 1) % kBits & 1) != 0;
    }
};

}  // namespace mipstrace
