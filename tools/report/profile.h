// Calls summed up by function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/view.h"

namespace mipstrace::tools {

// Of one function.
struct CallCounts {
    uint64_t calls = 0;     // that began in the recording
    uint64_t total_ns = 0;  // of its outermost calls: a recursion's inner ones are inside of them
    uint64_t self_ns = 0;
    uint64_t sum_ns = 0;  // of all these calls
    uint64_t min_ns = ~uint64_t(0);
    uint64_t max_ns = 0;
    uint64_t went_on = 0;  // calls that were open before: of these only times in total and self
    uint64_t open = 0;     // while it is made: calls of it around the present one, on its stack

    // Of a single call, recursive ones included; 0 where none began in the recording.
    uint64_t avg_ns() const { return calls == 0 ? 0 : sum_ns / calls; }
    uint64_t shortest_ns() const { return calls == 0 ? 0 : min_ns; }
    bool is_seen() const { return calls != 0 || went_on != 0; }
};

struct FunctionProfile : CallCounts {
    std::string name;
    std::string module;
};

struct Profile {
    std::vector<FunctionProfile> functions;  // those that were called or went on
    uint64_t in_flight = 0;                  // calls that were open at the end
    uint64_t went_on = 0;                    // calls that were open before the first event
    uint64_t unseen_calls = 0;               // returns without their call, not counted as calls
    bool has_modules = false;                // more than one
};

Profile make_profile(View& view);

// Keys: total, self, call, avg, min, max, func. Nothing when one is unknown.
using SortKeys = std::vector<std::string>;
bool parse_sort_keys(const std::string& list, SortKeys* keys);
inline constexpr char kSortKeyNames[] = "a list of total, self, call, avg, min, max or func";
void sort_profile(Profile* profile, const SortKeys& keys);

}  // namespace mipstrace::tools
