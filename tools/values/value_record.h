// The values in one record of a trace file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/record/trace_format.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

struct RecordedValue {
    values::Value value;
    const Enumeration* enumeration = nullptr;  // of the file; null: its words are not known
    format::StringState state = format::StringState::whole;
    // Numbers are in our byte order, and a structure is as it was in memory.
    std::string bytes;
};

// Those of the record at `offset`, by their index; of two with the same one the last. Of a record
// that is damaged: up to there.
std::vector<RecordedValue> read_values(const TraceFile& file, uint64_t offset);

}  // namespace mipstrace::tools
