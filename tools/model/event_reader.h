// The events of one thread, in the order in which they happened, with whole times.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/chunk_cursor.h"
#include "tools/model/tick_clock.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

enum class EventKind : uint8_t {
    enter,
    leave,
    left,  // an open call, of this function, ended without returning
    gap,   // events before this one are missing; `detail` calls were open here
    open,  // behind a gap: this call is open, `detail` calls around it
    lost,  // the chunk of number `detail` (in Thread::chunks) counted losses
};

struct Event {
    uint64_t time;      // nanoseconds of CLOCK_MONOTONIC, never less than the event's before
    uint32_t position;  // of the function
    uint32_t detail;    // enter, leave, left: as in format::Switched; 0: the newest open call
    EventKind kind;

    // The thread itself did something.
    bool is_of_call() const { return kind <= EventKind::left; }
};

class EventReader {
  public:
    EventReader(const TraceFile& file, const Thread& thread);

    bool next(Event* out) {
        if (next_ == batch_.size() && !refill()) return false;
        *out = batch_[next_++];
        return true;
    }
    const Thread& thread() const { return thread_; }
    // Chunks that were begun, for a progress display.
    size_t chunks_begun() const { return chunk_; }
    // Units that no writer writes.
    uint64_t damaged() const { return damaged_; }

  private:
    bool refill();
    void begin_chunk();
    void end_chunk();
    void decode(const format::Event& event);
    void decode_record(const format::Event& event, uint32_t units);
    void decode_open(uint32_t units);
    std::vector<ClockPair> clock_pairs(size_t chunk);
    uint64_t advance(uint32_t time);
    void push(EventKind kind, uint32_t position, uint32_t detail = 0);

    const TraceFile& file_;
    const Thread& thread_;
    const bool counts_ticks_;
    ChunkCursor cursor_;
    TickClock ticks_;
    bool in_chunk_ = false;
    bool is_behind_gap_ = false;  // the chunk is the first behind one, and nothing was read of it
    size_t chunk_ = 0;            // the next one to begin
    uint64_t reference_ = 0;      // to which the low 32 bits of an event are added
    uint64_t time_ = 0;           // of the newest event
    uint64_t damaged_ = 0;
    size_t next_ = 0;
    std::vector<Event> batch_;
};

}  // namespace mipstrace::tools
