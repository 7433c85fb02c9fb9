#include "lib/record/cycle_counter.h"

#include <signal.h>
#include <ucontext.h>

#include <algorithm>

#include "lib/base/clock.h"

namespace mipstrace::record {

namespace {

// What a call of so long may be off without harm; kernels that set the counters of all CPUs at boot
// come below one microsecond.
constexpr uint64_t kToleranceNs = 20'000;

}  // namespace

bool counters_agree(const CounterSample* samples, size_t count) {
    if (count < 3) return true;
    const CounterSample& first = samples[0];
    const CounterSample& last = samples[count - 1];
    const uint64_t all_ns = last.mono_ns - first.mono_ns;
    const uint64_t all_ticks = last.cycles - first.cycles;
    if (all_ns == 0 || all_ticks == 0) return false;
    for (size_t i = 1; i + 1 < count; i++) {
        const uint64_t expected = (samples[i].mono_ns - first.mono_ns) * all_ticks / all_ns;
        const int32_t off = int32_t(samples[i].cycles - first.cycles - uint32_t(expected));
        const uint64_t off_ns = uint64_t(off < 0 ? -int64_t(off) : off) * all_ns / all_ticks;
        if (off_ns > kToleranceNs + first.width_ns + samples[i].width_ns + last.width_ns)
            return false;
    }
    return true;
}

#ifdef __mips__

namespace {

constexpr uint64_t kMillisecond = 1'000'000;

// The kernel's struct sigaction, which no wrapper of the program's sees.
struct KernelAction {
    unsigned flags;
    void (*handler)(int, siginfo_t*, void*);
    unsigned long mask[128 / (8 * sizeof(long))];
};

volatile bool was_refused;

void step_over(int, siginfo_t*, void* context) {
    was_refused = true;
    static_cast<ucontext_t*>(context)->uc_mcontext.pc += 4;
}

CounterSample take_sample() {
    CounterSample best{0, UINT64_MAX, 0};
    for (int i = 0; i < 4; i++) {
        const uint64_t before = mono_ns();
        const uint32_t cycles = read_cycles();
        const uint64_t width = mono_ns() - before;
        if (width < best.width_ns) best = {before + width / 2, width, cycles};
    }
    return best;
}

bool stands_still() {
    const uint32_t first = read_cycles();
    const uint64_t end = mono_ns() + kMillisecond;
    // The last look comes after the end: other processes may have had all the time between two.
    for (;;) {
        const bool last = mono_ns() >= end;
        if (read_cycles() != first) return false;
        if (last) return true;
    }
}

// CPUs beyond these are not asked.
struct CpuSet {
    static constexpr unsigned kBits = 8 * sizeof(long);
    unsigned long words[1024 / kBits];
    bool holds(unsigned cpu) const { return (words[cpu / kBits] >> cpu % kBits & 1) != 0; }
};

bool cpus_disagree() {
    constexpr size_t kMost = 64;
    CounterSample samples[kMost + 2];
    size_t count = 0;
    CpuSet allowed{};
    const long bytes = raw_syscall(SYS_sched_getaffinity, 0, sizeof allowed, &allowed);
    if (bytes <= 0) return false;
    unsigned first = 0;
    const auto go_to = [bytes](unsigned cpu) {
        CpuSet one{};
        one.words[cpu / CpuSet::kBits] = 1ul << cpu % CpuSet::kBits;
        return raw_syscall(SYS_sched_setaffinity, 0, size_t(bytes), &one) == 0;
    };
    for (unsigned cpu = 0; cpu < unsigned(bytes) * 8 && count <= kMost; cpu++) {
        if (!allowed.holds(cpu) || !go_to(cpu)) continue;
        if (count == 0) first = cpu;
        samples[count++] = take_sample();
    }
    if (count >= 2 && go_to(first)) {
        while (mono_ns() - samples[0].mono_ns < kMillisecond) {
        }
        samples[count++] = take_sample();
    } else {
        count = 0;
    }
    raw_syscall(SYS_sched_setaffinity, 0, size_t(bytes), &allowed);
    return !counters_agree(samples, count);
}

// False: the instruction that reads the counter is refused, by the CPU or by the kernel.
bool can_be_read() {
    KernelAction action{}, before{};
    action.flags = SA_SIGINFO;
    action.handler = step_over;
    const size_t mask_bytes = sizeof action.mask;
    if (raw_syscall(SYS_rt_sigaction, SIGILL, &action, &before, mask_bytes) != 0) return true;
    read_cycles();
    read_cycle_resolution();
    raw_syscall(SYS_rt_sigaction, SIGILL, &before, nullptr, mask_bytes);
    return !was_refused;
}

}  // namespace

const char* why_no_cycle_counter(bool forced) {
    if (!can_be_read()) return "can't be read here: the CPU or the kernel refuses it";
    if (forced) return nullptr;
    if (stands_still()) return "stands still here (an emulator does not run it)";
    if (cpus_disagree()) return "is not the same on all CPUs here";
    return nullptr;
}

uint32_t cycles_of_ns(uint64_t ns) {
    const uint64_t start_ns = mono_ns();
    const uint32_t start = read_cycles();
    uint64_t elapsed;
    do {
        elapsed = mono_ns() - start_ns;
    } while (elapsed < kMillisecond);
    const uint64_t ticks =
        uint64_t(read_cycles() - start) * std::min<uint64_t>(ns, 1u << 30) / elapsed;
    return uint32_t(std::min<uint64_t>(ticks, UINT32_MAX));
}

#endif

}  // namespace mipstrace::record
