// The recorder: the fgraph user that writes each call to the trace file.
#pragma once

#include <mipstrace/fgraph.h>

#include <atomic>
#include <cstdint>

#include "lib/record/event_writer.h"
#include "lib/record/trigger_rules.h"

namespace mipstrace::record {

struct RecorderOptions {
    format::ClockId clock = format::ClockId::mono;
    bool with_values = false;  // some functions' arguments, return values or callers, see
                               // value_rules.h
};

// What is not recorded. May change while threads record.
struct Limits {
    std::atomic<uint32_t> max_depth;     // recorded calls that may be open at once; 0: any number
    std::atomic<uint32_t> min_duration;  // in units of the clock: shorter calls are taken back
    // By triggers.
    std::atomic<bool> is_off;                    // no call is recorded, for now
    std::atomic<bool> is_finished;               // and none will be
    std::atomic<bool> nests;                     // some triggers limit depth or time
    uint32_t times[kMostTriggerRules + 1] = {};  // of a rule, as min_duration
};
extern Limits limits;

// The recorder's ops for these options and the limits as they are, to be registered. Its filter is
// the caller's to set.
fgraph_ops& recorder_ops(const RecorderOptions& options);

// True if the recorder has to look at them at each call.
bool are_limited();
// In a callback: the clock's low 32 bits, after a sync where they would become ambiguous.
uint32_t timestamp_in_call(EventWriter& writer);
// Has the registered recorder look if it has to. The trampolines' own way doesn't. Not in a
// callback.
void look_at_limits();

// The user that keeps the functions with values, see value_rules.h, from being recorded by the
// trampolines themselves. It does nothing; to be registered as the recorder's companion.
fgraph_ops& value_ops();

}  // namespace mipstrace::record
