// Walks the 8-byte units of one chunk, through a small window of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "tools/model/byte_order.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

class ChunkCursor {
  public:
    static constexpr size_t kWindow = 16 * 1024;

    explicit ChunkCursor(const TraceFile& file)
        : file_(file), is_swapped_(file.is_swapped()), window_(new unsigned char[kWindow]) {}

    // Goes to the first unit of that chunk.
    void begin(uint32_t chunk_index);

    // The next unit that was written, and goes behind it; false at the end of the chunk.
    bool next(format::Event* event) {
        for (;;) {
            while (end_ - at_ >= sizeof *event) {
                std::memcpy(event, &window_[at_], sizeof *event);
                at_ += sizeof *event;
                if (event->word == 0) continue;
                if (is_swapped_) swap_fields(*event);
                return true;
            }
            if (!refill()) return false;
        }
    }
    // The next unit, and goes behind it, if it lies in the window and is the event of a call. Else
    // false: next() tells what it is.
    bool next_call(format::Event* event) {
        while (end_ - at_ >= sizeof *event) {
            std::memcpy(event, &window_[at_], sizeof *event);
            if (is_swapped_) swap_fields(*event);
            if ((event->word & 2) != 0) return false;  // kinds 2 and 3
            at_ += sizeof *event;
            if (event->word != 0) return true;
        }
        return false;
    }
    // The bytes at the cursor, which stays; false when the chunk ends before.
    template <typename T>
    bool payload(T* out) {
        if (end_ - at_ < sizeof *out && (!refill() || end_ - at_ < sizeof *out)) return false;
        *out = load<T>(&window_[at_], is_swapped_);
        return true;
    }
    void skip(uint32_t units);
    // In the file.
    uint64_t offset() const { return chunk_at_ + window_at_ + at_; }

  private:
    bool refill();

    const TraceFile& file_;
    const bool is_swapped_;
    std::unique_ptr<unsigned char[]> window_;
    size_t at_ = 0;           // the cursor, in the window
    size_t end_ = 0;          // bytes in the window
    uint64_t chunk_at_ = 0;   // file offset of the chunk
    uint64_t window_at_ = 0;  // of the window's first byte, in the chunk
};

}  // namespace mipstrace::tools
