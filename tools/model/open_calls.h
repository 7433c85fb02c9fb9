// The open calls of one thread, in the order in which they were made.
//
//   order   main  resume  body  yield  resume           one stack: each is made by the one before
//   stack     0      0      1     1      0              coroutines: by an earlier one (`caller`)
//
// A call has a number while it is open, by which consumers of steps know it again; numbers of calls
// that have ended are given to later ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mipstrace::tools {

inline constexpr uint32_t kNone = ~uint32_t(0);

struct OpenCall {
    uint64_t time = 0;
    uint64_t callees = 0;  // nanoseconds that are not its own: of what it calls, of other stacks
    uint64_t calls_below = 0;          // recorded ones that have ended, of all depths
    uint64_t callees_overhead_ps = 0;  // of `callees`, what recording took
    uint64_t values = 0;               // see Step
    uint64_t callers = 0;              // where its stack is recorded; 0: nowhere
    uint64_t paused_at = 0;            // since when its stack is not the running one
    uint32_t position = 0;             // 0: its call was not recorded
    uint32_t function = 0;
    uint32_t caller = kNone;       // on the same stack
    uint32_t shown_above = kNone;  // the nearest shown call around it
    uint32_t depth = 0;            // shown calls around it
    uint32_t stack = 0;            // 0: the thread's own; others are numbered as they appear
    uint32_t depth_left = 0;       // for what it calls
    bool is_inside = false;        // of a wanted function
    bool is_muted = false;         // it or a caller is unwanted
    bool is_shown = false;         // unless it proves too short, or leads to no target
    bool leads = false;            // to a target: -C
    bool is_announced = false;
    bool is_first = false;  // on its stack, which is not its caller's
    bool is_paused = false;
    bool goes_on = false;  // its entry is missing

  private:
    friend class OpenCalls;
    uint32_t place_ = 0;  // in the order
};

class OpenCalls {
  public:
    OpenCall& operator[](uint32_t call) { return calls_[call]; }
    const OpenCall& operator[](uint32_t call) const { return calls_[call]; }
    size_t size() const { return order_.size() - gaps_; }
    // The newest, or kNone.
    uint32_t newest() const { return order_.empty() ? kNone : order_.back(); }
    // The one with `above` open calls made after it, or kNone.
    uint32_t from_newest(uint32_t above) const { return above == 0 ? newest() : further(above); }
    // A new one, the newest, without a caller.
    uint32_t add();
    // Calls that it made and that are still open lose their caller.
    void remove(uint32_t call);

    // Calls `visit(number)` for each, oldest first, that was not visited before, until one answers
    // false: that one will be the next again.
    template <typename Visit>
    void visit_new(Visit&& visit) {
        for (; visited_ < order_.size(); visited_++)
            if (order_[visited_] != kNone && !visit(order_[visited_])) return;
    }

    template <typename Visit>
    void visit_all(Visit&& visit) {
        for (const uint32_t number : order_)
            if (number != kNone) visit(number);
    }

  private:
    uint32_t further(uint32_t above) const;
    void orphan_callees_of(uint32_t call);
    void close_gaps();

    std::vector<OpenCall> calls_;
    std::vector<uint32_t> free_;
    std::vector<uint32_t> order_;  // kNone: a gap; never the last
    size_t gaps_ = 0;
    size_t visited_ = 0;
};

inline uint32_t OpenCalls::add() {
    uint32_t number;
    if (free_.empty()) {
        number = uint32_t(calls_.size());
        calls_.emplace_back();
    } else {
        number = free_.back();
        free_.pop_back();
        calls_[number] = OpenCall();
    }
    calls_[number].place_ = uint32_t(order_.size());
    order_.push_back(number);
    return number;
}

inline void OpenCalls::remove(uint32_t call) {
    free_.push_back(call);
    if (order_.back() != call) {
        orphan_callees_of(call);
        order_[calls_[call].place_] = kNone;
        gaps_++;
        if (gaps_ > 64 && gaps_ > order_.size() / 2) close_gaps();
        return;
    }
    order_.pop_back();
    while (gaps_ != 0 && !order_.empty() && order_.back() == kNone) {
        order_.pop_back();
        gaps_--;
    }
    if (visited_ > order_.size()) visited_ = order_.size();
}

}  // namespace mipstrace::tools
