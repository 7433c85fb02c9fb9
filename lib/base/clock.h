// The clocks of a recording. Any context; hi, lo and errno are kept.
#pragma once

#include <time.h>

#include <cstdint>

#include "lib/base/syscall.h"

namespace mipstrace {

inline uint64_t clock_ns(clockid_t id) {
    timespec now{};
    raw_syscall(SYS_clock_gettime, static_cast<long>(id), &now);
    return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

#ifdef __mips__

// The CPU's cycle counter (CP0 Count), and how many CPU cycles it takes for one tick.
inline uint32_t read_cycles() {
    uint32_t ticks;
    asm volatile(".set push\n.set mips64r2\nrdhwr %0,$2\n.set pop" : "=r"(ticks));
    return ticks;
}
inline uint32_t read_cycle_resolution() {
    uint32_t cycles;
    asm volatile(".set push\n.set mips64r2\nrdhwr %0,$3\n.set pop" : "=r"(cycles));
    return cycles;
}

#endif

// CLOCK_MONOTONIC in nanoseconds by the vDSO where there is one, else by a system call.
uint64_t mono_ns();
// Looks for the vDSO. Once, before other threads; mono_ns works without it.
void find_vdso_clock();

}  // namespace mipstrace
