// What a recording has beside the calls: arguments, return values, and callers.
#pragma once

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// Before the trace file describes itself.
void read_value_rules(const Config& config);

// The recorder is registered: from now on values are recorded. Before other threads run.
void record_values();

}  // namespace mipstrace::runtime
