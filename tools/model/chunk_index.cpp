#include "tools/model/chunk_index.h"

#include <algorithm>
#include <map>

#include "tools/model/byte_order.h"

namespace mipstrace::tools {

namespace {

bool has_repeated_sequence(const std::vector<Chunk>& sorted) {
    return std::adjacent_find(sorted.begin(), sorted.end(), [](const Chunk& a, const Chunk& b) {
               return a.sequence == b.sequence;
           }) != sorted.end();
}

// A tid whose thread ended may be given to a new thread, whose chunks count from 0 again.
void split_by_life(uint32_t tid, std::vector<Chunk> chunks, std::vector<Thread>* out) {
    std::sort(chunks.begin(), chunks.end(), [](const Chunk& a, const Chunk& b) {
        return a.sequence != b.sequence ? a.sequence < b.sequence : a.index < b.index;
    });
    if (!has_repeated_sequence(chunks)) {
        out->push_back({tid, std::move(chunks)});
        return;
    }
    std::stable_sort(chunks.begin(), chunks.end(),
                     [](const Chunk& a, const Chunk& b) { return a.mono_ns < b.mono_ns; });
    for (const Chunk& chunk : chunks) {
        bool goes_on = !out->empty() && out->back().tid == tid &&
                       out->back().chunks.back().sequence < chunk.sequence;
        if (!goes_on) out->push_back({tid, {}});
        out->back().chunks.push_back(chunk);
    }
}

}  // namespace

ChunkIndex build_chunk_index(const TraceFile& file) {
    const uint64_t chunk_size = file.header().chunk_size;
    ChunkIndex result;
    uint64_t begun = (file.size() + chunk_size - 1) / chunk_size;
    uint64_t handed_out = std::max<uint32_t>(file.header().next_chunk, 1);
    if (handed_out > begun) result.missing = handed_out - std::max<uint64_t>(begun, 1);
    uint64_t count = std::min(handed_out, begun);
    result.cut_bytes = file.size() % chunk_size;
    result.is_cut = count == begun && count > 1 && result.cut_bytes != 0;

    std::map<uint32_t, std::vector<Chunk>> by_tid;
    for (uint64_t i = 1; i < count;) {
        format::ChunkHeader raw;
        if (file.read(i * chunk_size, &raw, sizeof raw) == sizeof raw) {
            auto header = load<format::ChunkHeader>(&raw, file.is_swapped());
            if (header.magic == format::kChunkMagic) {
                Chunk chunk{uint32_t(i),   header.sequence, header.depth,
                            header.cycles, header.mono_ns,  {}};
                std::copy(std::begin(header.lost), std::end(header.lost), chunk.lost.begin());
                by_tid[header.tid].push_back(chunk);
            } else if (header.magic == format::kMetaChunkMagic) {
                result.metadata.push_back(uint32_t(i));
            } else if (header.magic == 0) {
                // A sparse file may be one large hole from here.
                i = std::max(i + 1, file.next_data(i * chunk_size) / chunk_size);
                continue;
            }
        }
        i++;
    }
    for (auto& [tid, chunks] : by_tid)
        split_by_life(tid, std::move(chunks), &result.threads);
    std::stable_sort(result.threads.begin(), result.threads.end(),
                     [](const Thread& a, const Thread& b) {
                         return a.chunks.front().mono_ns < b.chunks.front().mono_ns;
                     });
    return result;
}

}  // namespace mipstrace::tools
