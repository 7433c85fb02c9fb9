// The calls of one thread: events matched to each other and filtered.
//
//   EventReader --> CallStream --> replay, report, graph
//
// What the filters drop leaves no trace: it counts neither as a call nor as anybody's callee, as if
// it had not been recorded. With a threshold of time, a call is handed on as soon as it is known
// to be long enough, so that steps of a thread stay in the order of their times.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/event_reader.h"
#include "tools/model/functions.h"

namespace mipstrace::tools {

struct CallFilter {
    uint32_t depth = 0;         // of shown calls, from the thread's or a -F function's; 0: any
    uint64_t threshold_ns = 0;  // shorter calls are dropped
    // -F and -N are marks of the functions: Function::is_wanted, is_unwanted.
};

enum class StepKind : uint8_t {
    enter,
    goes_on,  // was open before the first event that is there; its time is that event's
    leave,
    left,         // ended without returning
    unseen_end,   // its return is among events that are missing
    in_flight,    // open at the end of the recording
    unseen_call,  // a return whose call is not in the recording
    lost,         // the chunk of number `function` counted losses
};

struct Step {
    uint64_t time;
    uint64_t duration;  // of a call that ends here
    uint64_t self;      // the same without its callees'
    uint32_t function;
    uint32_t depth;  // shown calls around it
    StepKind kind;

    bool begins_call() const { return kind <= StepKind::goes_on; }
    bool ends_call() const { return kind >= StepKind::leave && kind <= StepKind::in_flight; }
};

class CallStream {
  public:
    // `last_moment`: up to when calls in flight count, if later than the last event.
    CallStream(const TraceFile& file, const Thread& thread, FunctionsOfFile& functions,
               const CallFilter& filter, uint64_t last_moment = 0);

    bool next(Step* out) {
        if (head_ == queue_.size() && !fill()) return false;
        *out = queue_[head_++];
        return true;
    }
    // The step that next() will return, or the one behind it; null when there is none.
    const Step* peek(size_t ahead = 0) {
        while (queue_.size() - head_ <= ahead)
            if (!fill()) return nullptr;
        return &queue_[head_ + ahead];
    }
    const EventReader& reader() const { return reader_; }

  private:
    struct Frame {
        uint64_t time;
        uint64_t callees;   // nanoseconds
        uint32_t position;  // 0: its call was not recorded
        uint32_t function;
        uint32_t shown_above;  // index + 1 of the nearest shown frame around it, 0: none
        uint32_t depth;        // shown frames around it
        uint32_t depth_left;   // for what it calls
        bool is_inside;        // of a wanted function
        bool is_muted;         // it or a caller is unwanted
        bool is_shown;         // unless it proves too short
        bool goes_on;          // its entry is missing
    };

    bool fill();
    void take(const Event& event);
    void enter(const Event& event, bool goes_on = false);
    void leave(const Event& event, StepKind kind);
    void resume(const Event& gap);
    void go_on(const Event& open);
    void confirm(uint64_t now);
    void announce(const Frame& frame);
    void pop(uint64_t time, StepKind kind);
    // A new innermost frame as its caller, if there is one, makes it: what filters left of it.
    Frame frame_inside_caller(uint64_t time) const;
    void push_unseen(uint64_t time);
    void finish();
    uint32_t depth_now() const { return stack_.empty() ? 0 : inner_depth(stack_.back()); }
    uint32_t inner_depth(const Frame& f) const { return f.depth + (f.is_shown ? 1 : 0); }

    EventReader reader_;
    FunctionsOfFile& functions_;
    const Functions& all_;
    const CallFilter filter_;
    const bool has_wanted_;
    const uint64_t last_moment_;
    std::vector<Frame> stack_;
    size_t announced_ = 0;  // frames below this index are decided: announced, or not shown
    uint64_t time_ = 0;     // of the last event
    bool is_finished_ = false;
    std::vector<Step> queue_;
    size_t head_ = 0;
};

}  // namespace mipstrace::tools
