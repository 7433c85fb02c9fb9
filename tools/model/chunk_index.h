// Finds the chunks of a trace file and sorts them to their threads.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/trace_file.h"

namespace mipstrace::tools {

struct ChunkIndex {
    std::vector<Thread> threads;
    std::vector<uint32_t> metadata;  // chunks that hold metadata, in the order of writing
    bool is_cut = false;             // the file ends inside a chunk
    uint64_t cut_bytes = 0;          // of that chunk
    uint64_t missing = 0;            // chunks that were handed out and lie behind the file's end
};

ChunkIndex build_chunk_index(const TraceFile& file);

}  // namespace mipstrace::tools
