#include "lib/runtime/limits.h"

#include <algorithm>

#include "lib/base/duration_text.h"
#include "lib/record/cycle_counter.h"
#include "lib/record/fast_handlers.h"
#include "lib/record/recorder.h"

namespace mipstrace::runtime {

namespace {

using record::limits;

constexpr uint32_t kDeepest = UINT32_MAX / 2;
// Times are told from each other by 32 bits of the clock.
constexpr uint64_t kLongest = 1u << 31;

format::ClockId clock_in_use;
uint64_t min_duration_ns;

void set_min_duration(uint64_t ns) {
    min_duration_ns = ns;
    limits.min_duration = units_of_clock(ns);
}

bool parse_depth(std::string_view text, uint32_t* depth) {
    uint64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        number = number * 10 + uint64_t(c - '0');
        if (number > kDeepest) return false;
    }
    *depth = uint32_t(number);
    return true;
}

bool refuse(control::Reply& reply) {
    apply_limits();
    reply.error("the system does not let the tracer's code be changed\n");
    return false;
}

}  // namespace

void read_limits(const Config& config, format::ClockId clock) {
    clock_in_use = clock;
    limits.max_depth = config.max_depth;
    set_min_duration(config.min_duration_ns);
}

void open_ways() {
    record::prepare_fast_handlers(clock_in_use);
    if (!record::are_limited()) record::use_fast_handlers(true);
}

// The way that looks is taken before the one that doesn't is closed, and the other way round.
bool apply_limits() {
    record::look_at_limits();
    return record::use_fast_handlers(!record::are_limited());
}

uint32_t units_of_clock(uint64_t ns) {
    const uint64_t limit = std::min(ns, kLongest);
    if (ns == 0 || clock_in_use != format::ClockId::cycles) return uint32_t(limit);
    return std::max(record::cycles_of_ns(limit), 1u);
}

bool change_depth(std::string_view text, control::Reply& reply) {
    uint32_t depth = 0;
    if (!parse_depth(text, &depth)) {
        reply.error("") << text << " is not a number of nested calls\n";
        return false;
    }
    const uint32_t before = limits.max_depth.exchange(depth);
    if (apply_limits()) return true;
    limits.max_depth = before;
    return refuse(reply);
}

bool change_time(std::string_view text, control::Reply& reply) {
    uint64_t ns = 0;
    if (!text.empty() && !parse_duration(text, &ns)) {
        reply.error("") << text << " is not a time such as 20us, 1.5ms or 2s\n";
        return false;
    }
    const uint64_t before = min_duration_ns;
    set_min_duration(ns);
    if (apply_limits()) return true;
    set_min_duration(before);
    return refuse(reply);
}

void say_limits(control::Reply& reply) {
    reply << "depth: ";
    if (const uint32_t depth = limits.max_depth; depth != 0) reply << uint64_t(depth);
    reply << "\ntime: ";
    if (min_duration_ns != 0) reply << min_duration_ns << "ns";
    reply << "\n";
}

}  // namespace mipstrace::runtime
