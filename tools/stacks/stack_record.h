// The callers of a call, in one record of a trace file.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/functions.h"

namespace mipstrace::tools {

struct RecordedStack {
    struct Caller {
        uint32_t function = 0;
        bool is_interrupted = false;  // by a signal
        bool is_lost_before = false;  // between this and the one before may be others
    };
    std::vector<Caller> callers;  // the innermost first
    bool is_cut = false;          // there were more
};

// That of a call at `mono_ns`. Of a record that is damaged: up to there.
RecordedStack read_stack(const TraceFile& file, uint64_t offset, uint64_t mono_ns,
                         Functions& functions);

}  // namespace mipstrace::tools
