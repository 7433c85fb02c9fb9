// A part of a recording's time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mipstrace::tools {

// A moment as somebody writes it.
struct Moment {
    uint64_t ns = 0;
    bool is_elapsed = false;  // since the recording's first event; else of CLOCK_MONOTONIC
};

struct TimeRange {
    std::optional<Moment> start;  // else from the first event on
    std::optional<Moment> stop;   // else to the last one
};

// "1s~1.5s", "~20ms": elapsed, by their units. "7033.25~": seconds of the clock.
std::optional<TimeRange> parse_time_range(const std::string& text);
// What parse_time_range takes.
inline constexpr char kTimeRangeForm[] =
    "START~STOP, times with a unit like 1.5ms or timestamps in seconds, the later one last";

}  // namespace mipstrace::tools
