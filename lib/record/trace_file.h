// The trace file of this process: created at start, grown by whole chunks from any thread.
// The descriptor is checked before each use, since the program may close or reuse it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "lib/base/file_status.h"
#include "lib/record/slot_ring.h"
#include "lib/record/trace_format.h"

namespace mipstrace::record {

inline constexpr uint32_t kChunkSize = format::kDefaultChunkSize;

// How large the file may become, in bytes; 0: any size. One of them at most.
struct FileBounds {
    uint64_t buffer = 0;    // of events: then the oldest chunks are written again
    uint64_t max_size = 0;  // of the file: then the recording ends
};

// Whether RLIMIT_FSIZE lets a file become so large; else the kernel would send SIGXFSZ.
bool fits_file_limit(uint64_t size);

// What a process knows of the one that forked it.
struct Parent {
    uint32_t pid = 0;
    uint32_t thread = 0;  // that forked; 0: unknown
    // The file of the nearest ancestor that has one.
    uint32_t origin_pid = 0;
    uint32_t origin_sequence = 0;
};

class TraceFile {
  public:
    static constexpr size_t kPathSize = 768;

    // Before create, once. False: no memory.
    bool set_bounds(const FileBounds& bounds);
    // Creates DIR/PID-SEQ.trace with its head chunk. On failure says why on standard error and
    // returns false. Not thread-safe. `directory` must be absolute and stay valid.
    bool create(const char* directory, format::ClockId clock);
    bool is_open() const { return header_ != nullptr && !is_parents(); }
    // False if map_chunk can only fail now. With a buffer that may change.
    bool has_room();
    // The recording has ended for good: the file of this process grows no more, or there is none.
    bool has_ended() const {
        return ended_.load(std::memory_order_relaxed) && !reuses_chunks() && !is_parents();
    }
    // Why it has ended: an errno, 0 where it has reached --max-size.
    int end_error() const { return end_error_.load(std::memory_order_relaxed); }

    format::FileHeader& header() { return *header_; }
    const char* path() const { return path_; }
    uint32_t pid() const { return pid_; }

    // Appends metadata, in one piece for who reads meanwhile. What the file has no room for is left
    // out. One thread at a time.
    void add_meta(format::MetaType type, std::string_view payload, std::string_view more = {},
                  std::string_view last = {});

    // Takes the next chunk, allocates its blocks and maps it at `window` (kChunkSize bytes,
    // replacing what is mapped there); with a buffer that is full, the chunk that was given back
    // the longest ago, of which it clears what it held. Returns its number, or 0: there is no room;
    // said once on standard error. Any thread, any signal handler; `owner` is the caller's tid.
    uint32_t map_chunk(void* window, uint32_t owner);

    // The owner writes no more into that chunk. With a buffer it may be written again.
    void give_back(uint32_t chunk, uint32_t owner) { slots_.give_back(chunk, owner); }
    // Nor into any but these two.
    void give_back_others(uint32_t owner, uint32_t keep, uint32_t keep_too) {
        slots_.give_back_others(owner, keep, keep_too);
    }
    // Nobody writes into that chunk behind its first `used` bytes: the disk gets the rest back. No
    // effect where the file system knows no holes.
    void free_rest(uint32_t chunk, uint32_t used);
    bool reuses_chunks() const { return slots_.count() != 0; }
    // The events in the chunk at `window`, which is to be written again, give way to newer ones.
    void clear_chunk(void* window);

    // Counts lost events of a thread that has no chunk. No-op without a file.
    void count_loss(format::Loss cause, uint64_t count);

    // True in the child of a fork that has not been noticed yet: the file is the parent's.
    bool is_parents() const { return mark_ != nullptr && *mark_ == 0; }
    // In the child of a fork, in its only thread: leaves the file to the parent. The next chunk
    // that is asked for makes a new one, by `open`; `forked` is called at once, and what it says is
    // returned: true if ensure_open should be called without waiting for a chunk to be asked for.
    // `thread`: the one of the parent that forked, if known.
    bool leave_to_parent(uint32_t thread);
    void create_anew_with(bool (*open)(), bool (*forked)()) {
        open_ = open;
        forked_ = forked;
    }

    // The file is made when the first chunk is asked for.
    void put_off();

    // True if there is a file to write to, after making it anew if that is due. Any context.
    bool ensure_open();
    // Changes with each file that the process and those that forked it have left. Never 0.
    uint32_t generation() const { return generation_.load(std::memory_order_relaxed); }

    // The file's descriptor, reopened if the program has closed it, or -errno. Any context.
    long usable_descriptor();
    // The path with `what` and a number put in before its suffix, in `out` of kPathSize bytes.
    // False if it is too long.
    bool path_beside(char* out, std::string_view what, uint32_t number) const;
    // The path with another suffix than .trace, as above.
    bool path_with_suffix(char* out, std::string_view suffix) const;

  private:
    void mark_process();
    void fill_header(format::FileHeader& header, format::ClockId clock, uint64_t sequence) const;
    bool grow_to(long fd, uint64_t end);
    char* room_for_meta(size_t size, uint32_t** used);
    uint32_t next_number();
    uint32_t take_new(long fd, uint32_t owner, int* error);
    uint32_t take_again(uint32_t owner);
    void say_why_none(int error);

    format::FileHeader* header_ = nullptr;
    format::MetaChunkHeader* more_meta_ = nullptr;  // the newest chunk of metadata
    char path_[kPathSize] = {};
    std::atomic<int> fd_{-1};
    FileIdentity identity_;
    FileBounds bounds_;
    SlotRing slots_;                    // empty without a buffer
    std::atomic<bool> grown_{false};    // it grows no more
    std::atomic<bool> ended_{false};    // it takes nothing more
    std::atomic<int> end_error_{0};     // why; 0: a bound
    std::atomic<bool> said_{false};     // that nothing is recorded, or no more; by an ancestor, too
    std::atomic<uint32_t> in_vain_{0};  // times that room was asked for and there was none
    bool (*open_)() = nullptr;
    bool (*forked_)() = nullptr;
    std::atomic<bool> due_{false};      // abandoned, not made anew yet
    std::atomic<uint32_t> creator_{0};  // the thread that is making it
    std::atomic<uint32_t> generation_{1};
    Parent parent_;
    uint32_t pid_ = 0;
    uintptr_t* mark_ = nullptr;  // on a page that each fork wipes; null: no such page
};

}  // namespace mipstrace::record
