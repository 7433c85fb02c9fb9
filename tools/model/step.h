// What happens to calls, one thing after the other: what a CallStream hands out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mipstrace::tools {

enum class StepKind : uint8_t {
    enter,
    goes_on,  // was open before the first event that is there; its time is that event's
    leave,
    left,         // ended without returning
    unseen_end,   // its return is among events that are missing
    in_flight,    // open at the end of the recording
    unseen_call,  // a return whose call is not in the recording
    lost,         // the chunk of number `function` counted losses
    switched,     // what comes next is on another stack than before
    noted,        // a trigger did or read something, inside the shown call `call`
    callers,      // of a call that has just begun, its whole stack: `values` tells where
};

struct Step {
    uint64_t time;
    uint64_t duration;  // of a call that ends here
    uint64_t self;      // the same without its callees'
    uint32_t function;
    uint32_t depth;   // shown calls around it
    uint32_t call;    // its number while it is open; kNone: it is about no shown call
    uint32_t caller;  // of an enter: the number of the shown call around it, or kNone
    uint32_t stack;   // it is on: 0 for the thread's own, coroutines' from 1
    StepKind kind;
    bool went_on = false;  // of an end: the call began with `goes_on`
    // Where in its file the record is that has values with this: arguments, what was returned, what
    // was noted, callers; 0: there is none.
    uint64_t values = 0;

    bool begins_call() const { return kind <= StepKind::goes_on; }
    bool ends_call() const { return kind >= StepKind::leave && kind <= StepKind::in_flight; }
};

// First in, first out, in a place that is filled and emptied again and again.
class StepQueue {
  public:
    size_t size() const { return end_ - begin_; }
    const Step& operator[](size_t i) const { return steps_[begin_ + i]; }
    Step& add() {
        if (end_ == steps_.size()) make_room();
        return steps_[end_++];
    }
    const Step& take() {
        const Step& step = steps_[begin_++];
        if (begin_ == end_) begin_ = end_ = 0;
        return step;
    }

  private:
    void make_room() {
        if (begin_ > steps_.size() / 2) {
            steps_.erase(steps_.begin(), steps_.begin() + ptrdiff_t(begin_));
            end_ -= begin_;
            begin_ = 0;
        }
        steps_.resize(end_ * 2 + 64);
    }

    std::vector<Step> steps_;
    size_t begin_ = 0;
    size_t end_ = 0;
};

}  // namespace mipstrace::tools
