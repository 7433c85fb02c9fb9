// A trace file taken apart, so that it can be changed part by part and put together again with
// sizes, counts and magic numbers that fit: else hardly a mutation gets past the header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/record/trace_format.h"

namespace mipstrace::fuzz {

struct TraceImage {
    struct Record {
        uint16_t type;
        std::string payload;
    };
    struct Chunk {
        format::ChunkHeader header;
        std::vector<format::Event> units;  // events, and the payload of records as it stands
    };

    format::FileHeader header{};  // in our byte order, like all but payloads and units
    bool is_swapped = false;
    std::vector<Record> metadata;
    std::vector<Chunk> chunks;

    // Takes what there is of a damaged file. Nothing when it does not even begin like one.
    static std::optional<TraceImage> parse(std::string_view bytes);
    // Chunks as large as the header says, what has no room in them left out; no more than
    // `most_bytes` of whole chunks.
    std::string bytes(size_t most_bytes) const;

    // Does bytes() set the header's sizes and counts, or keep what stands in it?
    bool has_honest_header = true;
};

// A record as it stands in a file, with its padding.
void add_record(const TraceImage::Record& record, bool is_swapped, std::string* to);
// Whatever the chunk holds; `bytes` may end early.
TraceImage::Chunk parse_chunk(std::string bytes, bool is_swapped);

}  // namespace mipstrace::fuzz
