// Nanoseconds from ticks of the cycle counter, piece by piece between the moments at which the
// writer noted both clocks (chunk headers and sync records).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/trace_file.h"

namespace mipstrace::tools {

struct ClockPair {
    uint64_t mono_ns = 0;
    uint32_t cycles = 0;
};

// Nanoseconds per tick as most of the file shows it, 0 where it can't be told. A counter that
// wrapped unseen between two pairs makes the tick look longer, so the shortest one is the truth.
double shortest_tick(const TraceFile& file);

class TickClock {
  public:
    explicit TickClock(double usual_tick) : usual_tick_(usual_tick) {}

    // Starts a chunk: its first pair, those of its sync records, that of the next chunk.
    void begin(std::vector<ClockPair> pairs);
    // The next sync record was passed.
    void next_pair();
    // The time of an event whose low 32 bits of the counter are `cycles`.
    uint64_t at(uint32_t cycles);

  private:
    void begin_piece();

    double usual_tick_;
    std::vector<ClockPair> pairs_;
    size_t piece_ = 0;
    double tick_ = 0;     // nanoseconds, of this piece
    int64_t passed_ = 0;  // ticks since its start
    uint64_t limit_ = 0;  // its length in nanoseconds, 0 when it is the last
};

}  // namespace mipstrace::tools
