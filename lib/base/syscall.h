// System calls without libc: for code that may run inside any function of the program, which may
// itself be libc or replace parts of it. Returns the result or -errno, and leaves errno alone.
#pragma once

#include <asm/unistd.h>  // musl has other names for some
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lib/base/abi.h"

namespace mipstrace {

#ifdef __mips__

// Number in $2, result in $2, failure in $7. The kernel may change $1, $3, $10-$15, $24, $25, hi
// and lo, on o32 $8 and $9, too.
#if __mips_isa_rev >= 6
#define MT_CHANGED_HI_LO
#else
#define MT_CHANGED_HI_LO "hi", "lo",
#endif
#if _MIPS_SIM == _ABIO32
#define MT_CHANGED_R8_R9 "$8", "$9",
#else
#define MT_CHANGED_R8_R9
#endif
#define MT_CHANGED_BY_SYSCALL                                                            \
    "$1", "$3", MT_CHANGED_R8_R9 "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", \
        MT_CHANGED_HI_LO "memory"

#if _MIPS_SIM == _ABIO32

// Arguments in $4-$7, then on the stack, behind the room for these: lib/base/syscall_o32.S.
extern "C" __attribute__((visibility("hidden"))) long mipstrace_syscall_o32(long number, long a,
                                                                            long b, long c, long d,
                                                                            long e, long f);
inline long raw_syscall6(long number, long a, long b, long c, long d, long e, long f) {
    return mipstrace_syscall_o32(number, a, b, c, d, e, f);
}

#else

// Arguments in $4-$9.
inline long raw_syscall6(long number, RegisterWord a, RegisterWord b, RegisterWord c,
                         RegisterWord d, RegisterWord e, RegisterWord f) {
    register RegisterWord v0 asm("$2") = number;
    register RegisterWord a0 asm("$4") = a;
    register RegisterWord a1 asm("$5") = b;
    register RegisterWord a2 asm("$6") = c;
    register RegisterWord a3 asm("$7") = d;
    register RegisterWord a4 asm("$8") = e;
    register RegisterWord a5 asm("$9") = f;
    asm volatile("syscall"
                 : "+r"(v0), "+r"(a3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a4), "r"(a5)
                 : MT_CHANGED_BY_SYSCALL);
    return long(a3 != 0 ? -v0 : v0);
}

#endif

inline long raw_syscall2(long number, long a, long b) {
    register RegisterWord v0 asm("$2") = number;
    register RegisterWord a0 asm("$4") = a;
    register RegisterWord a1 asm("$5") = b;
    register RegisterWord a3 asm("$7");
    asm volatile("syscall" : "+r"(v0), "=r"(a3) : "r"(a0), "r"(a1) : MT_CHANGED_BY_SYSCALL);
    return long(a3 != 0 ? -v0 : v0);
}

#undef MT_CHANGED_BY_SYSCALL
#undef MT_CHANGED_R8_R9
#undef MT_CHANGED_HI_LO

#else

// Elsewhere only the native unit tests run this.
long raw_syscall6(long number, long a, long b, long c, long d, long e, long f);
inline long raw_syscall2(long number, long a, long b) {
    return raw_syscall6(number, a, b, 0, 0, 0, 0);
}

#endif

// The arguments of a system call. One that is wider than a register (an offset in a file, on o32)
// takes two places, the first of them an even one, in the order that they have in memory.
struct SyscallWords {
    RegisterWord words[6] = {};
    unsigned used = 0;

    template <typename T>
    constexpr void add(T value) {
        if constexpr (std::is_null_pointer_v<T>) {
            words[used++] = 0;
        } else if constexpr (std::is_pointer_v<T>) {
            words[used++] = reinterpret_cast<intptr_t>(value);
        } else if constexpr (sizeof(T) <= sizeof(RegisterWord)) {
            words[used++] = static_cast<RegisterWord>(value);
        } else {
            used += used & 1;
            const auto low = static_cast<RegisterWord>(value);
            const auto high = static_cast<RegisterWord>(value >> 32);
            const bool low_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
            words[used++] = low_first ? low : high;
            words[used++] = low_first ? high : low;
        }
    }
};

template <typename... Arguments>
long raw_syscall(long number, Arguments... arguments) {
    SyscallWords in;
    (in.add(arguments), ...);
    return raw_syscall6(number, in.words[0], in.words[1], in.words[2], in.words[3], in.words[4],
                        in.words[5]);
}

// True if a raw result is an error, as mmap's addresses need it.
inline bool is_error(long result) {
    return static_cast<unsigned long>(result) > static_cast<unsigned long>(-4096);
}

// mmap. Its offset goes to the kernel as a number of 4 KiB where a register can't hold it in bytes.
inline long raw_mmap(void* at, size_t size, int protection, int flags, long fd, uint64_t offset) {
#ifdef SYS_mmap2
    return raw_syscall(SYS_mmap2, at, size, protection, flags, fd, long(offset >> 12));
#else
    return raw_syscall(SYS_mmap, at, size, protection, flags, fd, offset);
#endif
}

inline long raw_ftruncate(long fd, uint64_t size) {
#ifdef SYS_ftruncate64
    return raw_syscall(SYS_ftruncate64, fd, size);
#else
    return raw_syscall(SYS_ftruncate, fd, size);
#endif
}

}  // namespace mipstrace
