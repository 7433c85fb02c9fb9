#include "tools/text/time_text.h"

#include <time.h>

#include <cstdio>

#include "lib/base/duration_text.h"

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
    uint64_t ns = 0;
    if (!parse_duration(text, &ns)) return std::nullopt;
    return ns;
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
