// What a recording is, without its calls.
#pragma once

#include "tools/model/family.h"
#include "tools/text/out_buffer.h"
#include "tools/view.h"

namespace mipstrace::tools {

struct ThreadSummary {
    uint64_t events = 0;
    uint64_t damaged = 0;
    uint64_t first_ns = 0;  // CLOCK_MONOTONIC
    uint64_t last_ns = 0;
};

ThreadSummary summarize(const TraceFile& file, const Thread& thread);

const char* relation_name(Relation relation);

void write_info(OutBuffer& out, const Session& session);
void write_info_json(OutBuffer& out, const Session& session);

}  // namespace mipstrace::tools
