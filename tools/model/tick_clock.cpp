#include "tools/model/tick_clock.h"

#include <algorithm>

namespace mipstrace::tools {

namespace {

// Pairs that are closer than this say more about the time it takes to read two clocks.
constexpr uint64_t kShortestBase = 100'000;
// A piece whose tick is longer than this many usual ones holds a wrap of the counter.
constexpr double kWrapped = 2;

double tick_between(const ClockPair& a, const ClockPair& b) {
    uint32_t ticks = b.cycles - a.cycles;
    if (b.mono_ns <= a.mono_ns || ticks == 0) return 0;
    return double(b.mono_ns - a.mono_ns) / ticks;
}

}  // namespace

double shortest_tick(const TraceFile& file) {
    double shortest = 0;
    auto look = [&](const ClockPair& a, const ClockPair& b) {
        if (b.mono_ns < a.mono_ns + kShortestBase) return;
        double tick = tick_between(a, b);
        if (tick > 0 && (shortest == 0 || tick < shortest)) shortest = tick;
    };
    ClockPair start{file.header().start_mono_ns, file.header().start_cycles};
    for (const Thread& thread : file.threads()) {
        ClockPair before = start;
        for (const Chunk& chunk : thread.chunks) {
            ClockPair here{chunk.mono_ns, chunk.cycles};
            if (before.cycles != 0) look(before, here);  // 0: the writer had no counter then
            before = here;
        }
    }
    return shortest;
}

void TickClock::begin(std::vector<ClockPair> pairs) {
    pairs_ = std::move(pairs);
    piece_ = 0;
    begin_piece();
}

void TickClock::next_pair() {
    if (piece_ + 1 < pairs_.size()) piece_++;
    begin_piece();
}

void TickClock::begin_piece() {
    passed_ = 0;
    limit_ = 0;
    tick_ = 0;
    if (piece_ + 1 < pairs_.size()) {
        const ClockPair& a = pairs_[piece_];
        const ClockPair& b = pairs_[piece_ + 1];
        tick_ = tick_between(a, b);
        limit_ = b.mono_ns > a.mono_ns ? b.mono_ns - a.mono_ns : 0;
    }
    bool is_wrapped = usual_tick_ > 0 && tick_ > kWrapped * usual_tick_;
    if (tick_ == 0 || is_wrapped) tick_ = usual_tick_ > 0 ? usual_tick_ : 1;
}

uint64_t TickClock::at(uint32_t cycles) {
    const ClockPair& start = pairs_[piece_];
    // Signed, and perhaps before the piece: a chunk is begun for an event that is a little older.
    passed_ += int32_t(cycles - uint32_t(start.cycles + uint64_t(passed_)));
    double ns = double(passed_) * tick_;
    if (ns < 0) return start.mono_ns - std::min(start.mono_ns, ns > -1e18 ? uint64_t(-ns) : 0);
    uint64_t whole = ns < 1e18 ? uint64_t(ns) : 0;
    if (limit_ != 0) whole = std::min(whole, limit_);
    return start.mono_ns + std::min(whole, ~start.mono_ns);
}

}  // namespace mipstrace::tools
