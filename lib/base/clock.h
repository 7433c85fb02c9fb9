// The clocks of a recording. Any context; hi, lo and errno are kept.
#pragma once

#include <time.h>

#include <cstdint>

#include "lib/base/syscall.h"

namespace mipstrace {

// A clock by a system call.
uint64_t clock_ns(clockid_t id);

#ifdef __mips__

// The CPU's cycle counter (CP0 Count), and how many CPU cycles it takes for one tick.
inline uint32_t read_cycles() {
    uint32_t ticks;
    asm volatile("rdhwr %0,$2" : "=r"(ticks));
    return ticks;
}
inline uint32_t read_cycle_resolution() {
    uint32_t cycles;
    asm volatile("rdhwr %0,$3" : "=r"(cycles));
    return cycles;
}

#endif

using ClockGettime = int (*)(clockid_t, KernelTimespec*);
extern ClockGettime vdso_clock_gettime __attribute__((visibility("hidden")));

// Keeps hi and lo, which a product, a system call and the vDSO use: Linux saves them for a signal,
// not for a system call. qemu-user changes them in none.
class KeepHiLo {
#if defined(__mips__) && __mips_isa_rev < 6
  public:
    KeepHiLo() {
        asm volatile("mfhi %0\n\tmflo %1" : "=r"(hi_), "=r"(lo_));
    }
    ~KeepHiLo() {
        asm volatile("mthi %0\n\tmtlo %1" : : "r"(hi_), "r"(lo_) : "hi", "lo");
    }

  private:
    RegisterWord hi_, lo_;
#else
  public:
    KeepHiLo() {}
    ~KeepHiLo() {}
#endif
};

// CLOCK_MONOTONIC in nanoseconds by the vDSO where there is one, else by a system call.
inline uint64_t mono_ns() {
    KeepHiLo keep;
    KernelTimespec now;
    if (__builtin_expect(vdso_clock_gettime == nullptr, 0) ||
        __builtin_expect(vdso_clock_gettime(CLOCK_MONOTONIC, &now) != 0, 0))
        raw_syscall2(__NR_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
    uint64_t ns = uint64_t(now.seconds) * 1'000'000'000 + uint64_t(now.nanoseconds);
    asm volatile("" : "+r"(ns));  // else the product may move behind the end of `keep`
    return ns;
}
// Looks for the vDSO. Once, before other threads; mono_ns works without it.
void find_vdso_clock();

}  // namespace mipstrace
