// The files of a made-up recording: mipstrace's, and uftrace's of the same events. What can't be
// written ends the process.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "lib/record/trace_format.h"

namespace mipstrace::bench {

// Functions are numbered; each is so large.
inline constexpr uint32_t kFunctionSize = 64;
inline constexpr uint32_t kChunkEvents =
    (format::kDefaultChunkSize - sizeof(format::ChunkHeader)) / sizeof(format::Event);

class OutFile {
  public:
    explicit OutFile(const std::string& path);
    ~OutFile();
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;
    void add(const void* bytes, size_t size);
    void add(const std::string& text) { add(text.data(), text.size()); }
    void write_at(uint64_t offset, const void* bytes, size_t size);

  private:
    const std::string path_;
    FILE* file_;
};

// One trace file, docs/trace_format.md. Its functions are text of a module that is nowhere.
class TraceWriter {
  public:
    TraceWriter(const std::string& path, uint32_t pid, uint64_t start_ns, uint32_t functions);
    uint32_t take_chunk() { return header_.next_chunk++; }
    void write_chunk(uint32_t index, const void* bytes);
    void finish();

    static uint32_t position_of(uint32_t function);

  private:
    OutFile file_;
    format::FileHeader header_{};
};

// The chunks of one thread.
class ThreadWriter {
  public:
    ThreadWriter(TraceWriter& trace, uint32_t tid);
    ~ThreadWriter();
    ThreadWriter(const ThreadWriter&) = delete;
    ThreadWriter& operator=(const ThreadWriter&) = delete;
    void add(uint64_t time, uint32_t function, bool is_leave);

  private:
    struct Chunk {
        format::ChunkHeader header;
        format::Event events[kChunkEvents];
    };
    static_assert(sizeof(Chunk) == format::kDefaultChunkSize);
    void flush();

    TraceWriter& trace_;
    std::vector<Chunk> chunk_;  // one
    uint32_t index_ = 0;        // of the chunk in the file, 0: not begun
    uint32_t used_ = 0;
    uint32_t depth_ = 0;
};

// TID.dat of uftrace: 16 bytes an event.
class UftraceTask {
  public:
    UftraceTask(const std::string& folder, uint32_t tid);
    void add(uint64_t time, uint32_t depth, uint32_t function, bool is_leave);

  private:
    OutFile file_;
};

// All else that `uftrace report` wants in the folder.
void write_uftrace_session(const std::string& folder, uint32_t pid, uint32_t threads,
                           uint64_t start_ns, uint32_t functions);

}  // namespace mipstrace::bench
