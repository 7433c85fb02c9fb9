#include "tools/text/time_text.h"

#include <time.h>

#include <cstdio>

namespace mipstrace::tools {

namespace {

struct Unit {
    const char* name;
    uint64_t ns;
    uint64_t next;  // from here on the next unit is used
};

constexpr uint64_t kSecond = 1'000'000'000;
constexpr Unit kUnits[] = {
    {"us", 1'000, 1'000'000},
    {"ms", 1'000'000, kSecond},
    {" s", kSecond, 60 * kSecond},
    {" m", 60 * kSecond, 3600 * kSecond},
    {" h", 3600 * kSecond, ~uint64_t(0)},
};

}  // namespace

std::string time_text(uint64_t ns) {
    const Unit* unit = kUnits;
    while (ns >= unit->next && unit->next != ~uint64_t(0))
        unit++;
    uint64_t fraction = uint64_t(double(ns % unit->ns) / double(unit->ns) * 1000);
    char text[40];
    snprintf(text, sizeof text, "%3llu.%03llu %s", static_cast<unsigned long long>(ns / unit->ns),
             static_cast<unsigned long long>(fraction), unit->name);
    return text;
}

std::optional<uint64_t> parse_time(std::string_view text) {
    double value = 0;
    double scale = 1;
    size_t i = 0;
    bool has_digits = false;
    bool is_fraction = false;
    for (; i < text.size(); i++) {
        char c = text[i];
        if (c == '.' && !is_fraction) {
            is_fraction = true;
        } else if (c >= '0' && c <= '9') {
            has_digits = true;
            value = value * 10 + (c - '0');
            if (is_fraction) scale *= 10;
        } else {
            break;
        }
    }
    std::string_view unit = text.substr(i);
    double factor = 0;
    if (unit.empty() || unit == "ns") factor = 1;
    if (unit == "us" || unit == "usec") factor = 1e3;
    if (unit == "ms" || unit == "msec") factor = 1e6;
    if (unit == "s" || unit == "sec") factor = 1e9;
    if (unit == "m" || unit == "min") factor = 60e9;
    double ns = value / scale * factor;
    if (!has_digits || factor == 0 || !(ns < 9e18)) return std::nullopt;
    return uint64_t(ns + 0.5);
}

std::string date_text(uint64_t realtime_ns) {
    time_t seconds = time_t(realtime_ns / kSecond);
    tm parts{};
    char text[64];
    if (localtime_r(&seconds, &parts) == nullptr ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        return "?";
    char result[80];
    snprintf(result, sizeof result, "%s.%03u", text, unsigned(realtime_ns % kSecond / 1'000'000));
    return result;
}

}  // namespace mipstrace::tools
