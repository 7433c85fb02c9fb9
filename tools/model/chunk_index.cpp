#include "tools/model/chunk_index.h"

#include <algorithm>
#include <map>

#include "tools/model/byte_order.h"

namespace mipstrace::tools {

namespace {}  // namespace

ChunkIndex build_chunk_index(const TraceFile& file) {
    const uint64_t chunk_size = file.header().chunk_size;
    ChunkIndex result;
    uint64_t begun = (file.size() + chunk_size - 1) / chunk_size;
    uint64_t handed_out = std::max<uint32_t>(file.header().next_chunk, 1);
    if (handed_out > begun) result.missing = handed_out - std::max<uint64_t>(begun, 1);
    uint64_t count = std::min(handed_out, begun);
    result.cut_bytes = file.size() % chunk_size;
    result.is_cut = count == begun && count > 1 && result.cut_bytes != 0;

    // The tid of a thread that ended may be given to a new one.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Chunk>> by_thread;
    for (uint64_t i = 1; i < count;) {
        format::ChunkHeader raw;
        if (file.read(i * chunk_size, &raw, sizeof raw) == sizeof raw) {
            auto header = load<format::ChunkHeader>(&raw, file.is_swapped());
            if (header.magic == format::kChunkMagic) {
                Chunk chunk{uint32_t(i),   header.sequence, header.depth,
                            header.cycles, header.mono_ns,  {}};
                std::copy(std::begin(header.lost), std::end(header.lost), chunk.lost.begin());
                by_thread[{header.tid, header.thread}].push_back(chunk);
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
    for (auto& [thread, chunks] : by_thread) {
        std::sort(chunks.begin(), chunks.end(), [](const Chunk& a, const Chunk& b) {
            return a.sequence != b.sequence ? a.sequence < b.sequence : a.index < b.index;
        });
        result.threads.push_back({thread.first, std::move(chunks)});
    }
    std::stable_sort(result.threads.begin(), result.threads.end(),
                     [](const Thread& a, const Thread& b) {
                         return a.chunks.front().mono_ns < b.chunks.front().mono_ns;
                     });
    return result;
}

}  // namespace mipstrace::tools
