// The events of one thread, in the order in which they happened, with whole times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tools/model/chunk_cursor.h"
#include "tools/model/tick_clock.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

enum class EventKind : uint8_t {
    enter = uint8_t(format::Kind::enter),
    leave = uint8_t(format::Kind::leave),
    left,   // an open call, of this function, ended without returning
    gap,    // events before this one are missing; `detail` calls were open here
    open,   // behind a gap: this call is open, `detail` calls around it
    noted,  // a trigger did or read something, which is told in `values`, in the newest open call
    stack,  // of the call that was just entered, of this function: `values` tells where
    lost,   // the chunk of number `detail` (in Thread::chunks) counted losses
};

struct Event {
    uint64_t time;      // nanoseconds of CLOCK_MONOTONIC, never less than the event's before
    uint32_t position;  // of the function
    uint32_t detail;    // enter, leave, left: as in format::Switched; 0: the newest open call
    EventKind kind;
    // Offset in the file of the record that it is from; 0: it has no values, and no stack.
    uint64_t values = 0;

    // The thread itself did something.
    bool is_of_call() const { return kind <= EventKind::left; }
};

class EventReader {
  public:
    // From the chunk of number `first` on. What was before that is missing, then.
    EventReader(const TraceFile& file, const Thread& thread, size_t first = 0);

    bool next(Event* out) {
        while (next_ == others_.size()) {
            format::Event event;
            if (cursor_.next_call(&event)) {
                *out = {advance(event.time), format::position_of(event.word), 0,
                        EventKind(format::kind_of(event.word)), 0};
                if (__builtin_expect(!stacks_.empty(), 0)) attach_stack(*out);
                return true;
            }
            if (!go_on()) return false;
        }
        *out = others_[next_++];
        return true;
    }
    const Thread& thread() const { return thread_; }
    // Chunks that were begun, for a progress display.
    size_t chunks_begun() const { return chunk_ - first_; }
    // Units that no writer writes.
    uint64_t damaged() const { return damaged_; }

  private:
    bool go_on();
    void begin_chunk();
    void end_chunk();
    void decode(const format::Event& event);
    void decode_record(const format::Event& event, uint32_t units);
    void decode_open(uint32_t units);
    bool note_stack();
    void attach_stack(const Event& event);
    std::vector<ClockPair> clock_pairs(size_t chunk);
    // The whole time of an event. The difference is signed: a chunk is begun for an event whose
    // time was taken before, and a signal handler's events stand behind the slot that it
    // interrupted. What then comes before its predecessor gets the time of that.
    uint64_t advance(uint32_t time) {
        if (counts_ticks_) return time_ = std::max(time_, ticks_.at(time));
        uint64_t now = 0;
        // No clock shows a time before 0, nor behind the last one: the reference is nonsense.
        if (__builtin_add_overflow(reference_, int32_t(time - uint32_t(reference_)), &now))
            return time_;
        reference_ = now;
        return time_ = std::max(time_, now);
    }
    void push(EventKind kind, uint32_t position, uint32_t detail = 0);

    const TraceFile& file_;
    const Thread& thread_;
    const bool counts_ticks_;
    ChunkCursor cursor_;
    TickClock ticks_;
    bool in_chunk_ = false;
    bool is_behind_gap_ = false;  // the chunk is the first behind one, and nothing was read of it
    const size_t first_;
    size_t chunk_;            // the next one to begin
    uint64_t reference_ = 0;  // to which the low 32 bits of an event are added
    uint64_t time_ = 0;       // of the newest event
    uint64_t damaged_ = 0;
    // What is not the plain event of a call, and is handed out before the cursor goes on.
    std::vector<Event> others_;
    size_t next_ = 0;
    // Records of stacks whose calls come next: of a handler's calls behind the one that it has
    // interrupted.
    struct Stack {
        uint32_t position;
        uint64_t offset;
    };
    std::vector<Stack> stacks_;
};

}  // namespace mipstrace::tools
