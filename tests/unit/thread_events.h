// What the calling thread has recorded since it was last asked, read from the trace file, in the
// order in which a reader of the file sees it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <vector>

#include "lib/base/unique_fd.h"
#include "lib/record/trace_format.h"
#include "tests/unit/own_trace.h"

namespace mipstrace {

struct CallEvent {
    enum What { enter, leave, left } what;
    uint32_t position;
};

class ThreadEvents {
  public:
    ThreadEvents()
        : tid_(uint32_t(syscall(SYS_gettid))), fd_(open(OwnTrace::path().c_str(), O_RDWR)) {
        EXPECT_TRUE(bool(fd_)) << "no trace file; is the test run with MIPSTRACE_DATA?";
        take();
    }
    // Of a thread that has made no traced call yet.
    struct NewThread {};
    explicit ThreadEvents(NewThread)
        : tid_(uint32_t(syscall(SYS_gettid))),
          fd_(open(OwnTrace::path().c_str(), O_RDWR)),
          next_chunk_(read_at<format::FileHeader>(0).next_chunk) {}

    std::vector<CallEvent> take() {
        find_chunks();
        std::vector<CallEvent> out;
        for (auto& [sequence, chunk] : chunks_)
            read_chunk(chunk, out);
        while (chunks_.size() > kMayBeWritten) {
            retire(chunks_.begin()->second);
            chunks_.erase(chunks_.begin());
        }
        return out;
    }

    // Losses of this thread, and of those without a chunk.
    uint64_t lost(format::Loss cause) const {
        uint64_t count =
            retired_lost_[size_t(cause)] + read_at<format::FileHeader>(0).lost[size_t(cause)];
        for (const auto& [sequence, chunk] : chunks_)
            count += header_of(chunk.index).lost[size_t(cause)];
        return count;
    }

  private:
    struct Chunk {
        uint32_t index;  // in the file
        uint32_t next_unit;
    };
    // The newest, and others: one that a handler took while another was being taken stays in use,
    // though its sequence number may be the lower one.
    static constexpr size_t kMayBeWritten = 4;
    static constexpr uint32_t kChunkUnits = format::kDefaultChunkSize / sizeof(format::Event);
    static constexpr uint32_t kFirstUnit = sizeof(format::ChunkHeader) / sizeof(format::Event);

    template <typename T>
    T read_at(uint64_t offset) const {
        T value{};
        EXPECT_EQ(pread(fd_.get(), &value, sizeof value, off_t(offset)), ssize_t(sizeof value));
        return value;
    }

    format::ChunkHeader header_of(uint32_t chunk) const {
        return read_at<format::ChunkHeader>(uint64_t(chunk) * format::kDefaultChunkSize);
    }

    // Gives its blocks back: a test may fill very many chunks.
    void retire(const Chunk& chunk) {
        const format::ChunkHeader header = header_of(chunk.index);
        for (size_t i = 0; i < format::kLossSlots; i++)
            retired_lost_[i] += header.lost[i];
        fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  off_t(chunk.index) * format::kDefaultChunkSize, format::kDefaultChunkSize);
    }

    void find_chunks() {
        const uint32_t end = read_at<format::FileHeader>(0).next_chunk;
        for (; next_chunk_ < end; next_chunk_++) {
            const format::ChunkHeader header = header_of(next_chunk_);
            if (header.magic == format::kChunkMagic && header.tid == tid_)
                chunks_[header.sequence] = {next_chunk_, kFirstUnit};
        }
    }

    void read_chunk(Chunk& chunk, std::vector<CallEvent>& out) {
        std::vector<format::Event> units(kChunkUnits);
        const uint64_t start = uint64_t(chunk.index) * format::kDefaultChunkSize;
        const size_t known = chunk.next_unit * sizeof(format::Event);
        EXPECT_EQ(pread(fd_.get(), units.data() + chunk.next_unit,
                        format::kDefaultChunkSize - known, off_t(start + known)),
                  ssize_t(format::kDefaultChunkSize - known));
        uint32_t used = chunk.next_unit;
        for (uint32_t i = chunk.next_unit; i < kChunkUnits; i++) {
            const uint32_t word = units[i].word;
            if (word == 0) continue;  // nothing, or a hole
            switch (format::kind_of(word)) {
                case format::Kind::enter:
                    out.push_back({CallEvent::enter, format::position_of(word)});
                    break;
                case format::Kind::leave:
                    out.push_back({CallEvent::leave, format::position_of(word)});
                    break;
                case format::Kind::record:
                    if (format::record_type_of(word) == format::RecordType::left)
                        out.push_back({CallEvent::left, units[i + 1].time});
                    [[fallthrough]];
                case format::Kind::unfinished:
                    i += std::max(format::units_of(word), 1u) - 1;
                    break;
            }
            used = i + 1;
        }
        chunk.next_unit = used;
    }

    uint32_t tid_;
    UniqueFd fd_;
    uint32_t next_chunk_ = 1;
    std::map<uint32_t, Chunk> chunks_;  // by sequence
    uint64_t retired_lost_[format::kLossSlots] = {};
};

}  // namespace mipstrace
