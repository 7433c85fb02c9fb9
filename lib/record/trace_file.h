// The trace file of this process: created at start, grown by whole chunks from any thread.
// The descriptor is checked before each use, since the program may close or reuse it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "lib/base/file_status.h"
#include "lib/record/trace_format.h"

namespace mipstrace::record {

inline constexpr uint32_t kChunkSize = format::kDefaultChunkSize;

class TraceFile {
  public:
    // Creates DIR/PID-SEQ.trace with its head chunk. On failure says why on standard error and
    // returns false. Not thread-safe. `directory` must be absolute and stay valid.
    bool create(const char* directory, format::ClockId clock);
    bool is_open() const { return header_ != nullptr; }
    // True after map_chunk has failed: it will go on doing so.
    bool is_full() const { return full_.load(std::memory_order_relaxed); }

    format::FileHeader& header() { return *header_; }
    const char* path() const { return path_; }

    // Appends metadata, in one piece for who reads meanwhile. What the file has no room for is left
    // out. One thread at a time.
    void add_meta(format::MetaType type, std::string_view payload, std::string_view more = {},
                  std::string_view last = {});

    // Takes the next chunk, allocates its blocks and maps it at `window` (kChunkSize bytes,
    // replacing what is mapped there). False: there is no room; said once on standard error.
    // Any thread, any signal handler.
    bool map_chunk(void* window);

    // Counts lost events of a thread that has no chunk. No-op without a file.
    void count_loss(format::Loss cause, uint64_t count);

    // In the child of a fork: the parent's file is not ours to write. The next chunk that is asked
    // for makes a new one, by the function given to create_anew_with.
    void abandon();
    void create_anew_with(bool (*open)()) { open_ = open; }

    // True if there is a file to write to, after making it anew if that is due. Any context.
    bool ensure_open();

  private:
    long usable_descriptor();
    bool grow_to(long fd, uint64_t end);
    char* room_for_meta(size_t size, uint32_t** used);

    format::FileHeader* header_ = nullptr;
    format::MetaChunkHeader* more_meta_ = nullptr;  // the newest chunk of metadata
    char path_[768] = {};
    std::atomic<int> fd_{-1};
    FileIdentity identity_;
    std::atomic<bool> full_{false};
    std::atomic<bool> said_{false};
    bool (*open_)() = nullptr;
    std::atomic<bool> due_{false};      // abandoned, not made anew yet
    std::atomic<uint32_t> creator_{0};  // thread that is making it
};

}  // namespace mipstrace::record
