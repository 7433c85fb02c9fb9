// What a call of a function sets off, beside being recorded.
//
//   text      depth=2,if:arg1>=5      see parse.h
//   Trigger   actions, their numbers, and when
#pragma once

#include <cstdint>

#include "lib/values/value.h"

namespace mipstrace::triggers {

// Bits of Trigger::actions.
inline constexpr uint32_t kTraceOn = 1;      // the recording goes on, with this call
inline constexpr uint32_t kTraceOff = 2;     // it stops, before this call
inline constexpr uint32_t kFinish = 4;       // for good
inline constexpr uint32_t kDepth = 8;        // of calls from this one on
inline constexpr uint32_t kTime = 16;        // that this call and those in it last at least
inline constexpr uint32_t kSnapshot = 32;    // as --snapshot-signal takes one
inline constexpr uint32_t kRead = 64;        // counters, at the entry and the return
inline constexpr uint32_t kBacktrace = 128;  // the callers, as --stack records them
// Those that decide about calls of other functions, too.
inline constexpr uint32_t kOfOthers = kTraceOn | kTraceOff | kFinish | kDepth | kTime;

// Bits of Trigger::counters.
inline constexpr uint32_t kMemory = 1;      // proc/statm
inline constexpr uint32_t kPageFaults = 2;  // page-fault

enum class Comparison : uint8_t { equal, unequal, less, less_or_equal, greater, greater_or_equal };

// if:ARG<OP>VALUE. `value` is compared as `argument` has its sign.
struct Condition {
    values::Value argument;
    Comparison comparison;
    int64_t value;
};

inline constexpr unsigned kMostConditions = 4;
inline constexpr uint32_t kDeepest = 4094;

struct Trigger {
    uint32_t actions;
    uint32_t counters;
    uint32_t depth;  // with kDepth: this call included
    uint64_t time_ns;
    uint32_t condition_count;
    Condition conditions[kMostConditions];  // all must hold
};

constexpr bool is_unsigned(const values::Value& value) {
    return value.format != 'd' && value.format != 'i';
}

// Whether the value that an argument has, `bits` of which are its own, is such.
bool holds(const Condition& condition, uint64_t argument);

}  // namespace mipstrace::triggers
