// Whether the CPU's cycle counter can be a recording's clock. At start, before other threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::record {

// Both clocks at one moment, as seen by one CPU: between two readings of CLOCK_MONOTONIC that are
// `width_ns` apart, of which `mono_ns` is the middle.
struct CounterSample {
    uint64_t mono_ns;
    uint64_t width_ns;
    uint32_t cycles;
};

// True if one counter could have given all samples. The first and the last are of one CPU, the
// others come between them; all within a second.
bool counters_agree(const CounterSample* samples, size_t count);

// What is wrong with the cycle counter, to go on a sentence that begins with it; null: nothing.
// Takes about two milliseconds, in which the calling thread visits each CPU that it may run on.
// `forced`: asks only whether it can be read at all.
const char* why_no_cycle_counter(bool forced);

// Ticks of the cycle counter in `ns` nanoseconds, measured over about a millisecond.
uint32_t cycles_of_ns(uint64_t ns);

}  // namespace mipstrace::record
