#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mipstrace::tools {

// Ten columns: "  1.234 us", " 12.345 ms", "  3.210  s", "  5.020  m", "  1.200  h".
std::string time_text(uint64_t ns);

// "5us", "1.5ms", "2s", "1m"; a bare number is nanoseconds.
std::optional<uint64_t> parse_time(std::string_view text);

// "2024-05-01 12:00:00.123" in local time.
std::string date_text(uint64_t realtime_ns);

}  // namespace mipstrace::tools
