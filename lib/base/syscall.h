// System calls without libc: for code that may run inside any function of the program, which may
// itself be libc or replace parts of it. Returns the result or -errno, and leaves errno alone.
#pragma once

#include <sys/syscall.h>

#include <cstdint>
#include <type_traits>

namespace mipstrace {

#if defined(__mips__) && _MIPS_SIM == _ABI64

// n64 (and n32): number in $2, arguments in $4-$9, result in $2, failure in $7.
// The kernel may change $1, $3, $10-$15, $24, $25, hi and lo.
inline long raw_syscall6(long number, long a, long b, long c, long d, long e, long f) {
    register long v0 asm("$2") = number;
    register long a0 asm("$4") = a;
    register long a1 asm("$5") = b;
    register long a2 asm("$6") = c;
    register long a3 asm("$7") = d;
    register long a4 asm("$8") = e;
    register long a5 asm("$9") = f;
    asm volatile("syscall"
                 : "+r"(v0), "+r"(a3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a4), "r"(a5)
                 : "$1", "$3", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo",
                   "memory");
    return a3 != 0 ? -v0 : v0;
}

inline long raw_syscall2(long number, long a, long b) {
    register long v0 asm("$2") = number;
    register long a0 asm("$4") = a;
    register long a1 asm("$5") = b;
    register long a3 asm("$7");
    asm volatile("syscall"
                 : "+r"(v0), "=r"(a3)
                 : "r"(a0), "r"(a1)
                 : "$1", "$3", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo",
                   "memory");
    return a3 != 0 ? -v0 : v0;
}

#else

// Elsewhere only the native unit tests run this.
long raw_syscall6(long number, long a, long b, long c, long d, long e, long f);
inline long raw_syscall2(long number, long a, long b) {
    return raw_syscall6(number, a, b, 0, 0, 0, 0);
}

#endif

template <typename T>
long syscall_word(T value) {
    if constexpr (std::is_pointer_v<T>)
        return static_cast<long>(reinterpret_cast<intptr_t>(value));
    else if constexpr (std::is_null_pointer_v<T>)
        return 0;
    else
        return static_cast<long>(value);
}

template <typename A = long, typename B = long, typename C = long, typename D = long,
          typename E = long, typename F = long>
long raw_syscall(long number, A a = 0, B b = 0, C c = 0, D d = 0, E e = 0, F f = 0) {
    return raw_syscall6(number, syscall_word(a), syscall_word(b), syscall_word(c), syscall_word(d),
                        syscall_word(e), syscall_word(f));
}

// True if a raw result is an error, as mmap's addresses need it.
inline bool is_error(long result) {
    return static_cast<unsigned long>(result) > static_cast<unsigned long>(-4096);
}

}  // namespace mipstrace
