#include "tools/model/chunk_cursor.h"

#include <algorithm>

namespace mipstrace::tools {

void ChunkCursor::begin(uint32_t chunk_index) {
    chunk_at_ = uint64_t(chunk_index) * file_.header().chunk_size;
    window_at_ = sizeof(format::ChunkHeader);
    at_ = end_ = 0;
}

void ChunkCursor::skip(uint32_t units) {
    at_ += size_t(units) * sizeof(format::Event);
    if (at_ <= end_) return;
    window_at_ += at_;
    at_ = end_ = 0;
}

bool ChunkCursor::refill() {
    const uint64_t chunk_size = file_.header().chunk_size;
    window_at_ += at_;
    at_ = end_ = 0;
    while (window_at_ < chunk_size) {
        auto wanted = size_t(std::min<uint64_t>(kWindow, chunk_size - window_at_));
        end_ = file_.read(chunk_at_ + window_at_, window_.get(), wanted);
        if (end_ < sizeof(format::Event)) break;
        if (window_[0] != 0 || std::memcmp(&window_[0], &window_[1], end_ - 1) != 0) return true;
        // Nothing but zeros. What the file system holds no data for need not be read.
        uint64_t data = file_.next_data(chunk_at_ + window_at_ + end_);
        window_at_ = std::max(window_at_ + end_, (data - chunk_at_) & ~uint64_t(7));
        end_ = 0;
    }
    end_ = 0;
    return false;
}

}  // namespace mipstrace::tools
