// The recorder: the fgraph user that writes each call to the trace file.
#pragma once

#include <mipstrace/fgraph.h>

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::record {

struct RecorderOptions {
    format::ClockId clock = format::ClockId::mono;
    uint32_t max_depth = 0;     // recorded calls that may be open at once; 0: any number
    bool with_values = false;   // some functions' arguments or return values, see value_rules.h
    uint32_t min_duration = 0;  // in units of the clock: shorter calls are taken back; 0: none
};

// The recorder's ops for these options, to be registered. Its filter is the caller's to set.
fgraph_ops& recorder_ops(const RecorderOptions& options);

// The user that keeps the functions with values, see value_rules.h, from being recorded by the
// trampolines themselves. It does nothing; to be registered as the recorder's companion.
fgraph_ops& value_ops();

}  // namespace mipstrace::record
