// What a recording has beside the calls: arguments, return values, and callers.
#pragma once

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// Before the trace file describes itself.
void read_value_rules(const Config& config);

// Callers can be recorded: --stack, or a trigger that was there at start, asks for them.
bool can_record_stacks();

// The recorder is registered: from now on values are recorded. Before other threads run.
void record_values();

}  // namespace mipstrace::runtime
