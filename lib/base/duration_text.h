// Times as options, variables of the environment and commands take them.
#pragma once

#include <cstdint>
#include <string_view>

namespace mipstrace {

// Nanoseconds of "5us", "1.5ms", "2s", "1m"; a bare number is nanoseconds. False: none of these, or
// more than 2^62 of them.
constexpr bool parse_duration(std::string_view text, uint64_t* ns) {
    constexpr uint64_t kMost = uint64_t(1) << 62;
    constexpr uint64_t kMostScale = 100'000'000;  // its product with a unit is no overflow
    uint64_t value = 0;                           // of all digits
    uint64_t scale = 1;
    size_t at = 0;
    bool has_digits = false;
    bool is_fraction = false;
    for (; at < text.size(); at++) {
        const char c = text[at];
        if (c == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (c < '0' || c > '9') break;
        has_digits = true;
        if (is_fraction && scale == kMostScale) continue;
        if (value > kMost / 10 - 1) return false;
        value = value * 10 + uint64_t(c - '0');
        if (is_fraction) scale *= 10;
    }
    const std::string_view unit(text.data() + at, text.size() - at);
    uint64_t factor = 0;
    if (unit.empty() || unit == "ns") factor = 1;
    if (unit == "us" || unit == "usec") factor = 1'000;
    if (unit == "ms" || unit == "msec") factor = 1'000'000;
    if (unit == "s" || unit == "sec") factor = 1'000'000'000;
    if (unit == "m" || unit == "min") factor = 60'000'000'000;
    if (!has_digits || factor == 0 || value / scale > kMost / factor) return false;
    *ns = value / scale * factor + (value % scale * factor + scale / 2) / scale;
    return true;
}

static_assert([] {
    uint64_t ns = 0;
    return parse_duration("1.5ms", &ns) && ns == 1'500'000 && parse_duration("20", &ns) &&
           ns == 20 && !parse_duration("5 us", &ns) && !parse_duration(".", &ns);
}());

}  // namespace mipstrace
