// The calls of one thread: events matched to each other and filtered.
//
//   EventReader --> CallStream --> replay, report, graph
//
// What the filters drop leaves no trace: it counts neither as a call nor as anybody's callee, as if
// it had not been recorded. With a threshold of time, a call is handed on as soon as it is known
// to be long enough, so that steps of a thread stay in the order of their times.
//
// A thread can run on several stacks in turn (coroutines). A call on another stack counts as made
// by the call that switched to it; the time in which a stack doesn't run is no call's own on it.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/event_reader.h"
#include "tools/model/functions.h"
#include "tools/model/open_calls.h"

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
    switched,     // what comes next is on another stack than before
};

struct Step {
    uint64_t time;
    uint64_t duration;  // of a call that ends here
    uint64_t self;      // the same without its callees'
    uint32_t function;
    uint32_t depth;   // shown calls around it
    uint32_t call;    // its number while it is open; kNone: it is no shown call
    uint32_t caller;  // of an enter: the number of the shown call around it, or kNone
    uint32_t stack;   // it is on: 0 for the thread's own, coroutines' from 1
    StepKind kind;
    bool went_on = false;  // of an end: the call began with `goes_on`

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
    bool fill();
    void take(const Event& event);
    void enter(const Event& event, bool goes_on = false);
    void leave(const Event& event, StepKind kind);
    void resume(const Event& gap);
    void go_on(const Event& open);
    void confirm(uint64_t now);
    void announce(uint32_t call);
    void end(uint32_t call, uint64_t time, StepKind kind);
    void report_unseen_call(const Event& event, StepKind kind);
    // A call made by `caller`, or by none: what filters left of it.
    OpenCall call_made_by(uint32_t caller, uint64_t time) const;
    // Of an event that belongs to an open call.
    uint32_t call_meant(const Event& event) const;
    void run_on(uint32_t call, uint64_t now);
    void tell_stack(const OpenCall& call, uint64_t now);
    void pause(uint32_t call, uint64_t now);
    void add_unseen(uint64_t time);
    void finish();
    uint32_t depth_now() const {
        return open_.size() == 0 ? 0 : inner_depth(open_[open_.newest()]);
    }
    static uint32_t inner_depth(const OpenCall& c) { return c.depth + (c.is_shown ? 1 : 0); }
    uint32_t shown_around(uint32_t call) const {
        return call == kNone || open_[call].is_shown ? call : open_[call].shown_above;
    }

    EventReader reader_;
    FunctionsOfFile& functions_;
    const Functions& all_;
    const CallFilter filter_;
    const bool has_wanted_;
    const uint64_t last_moment_;
    OpenCalls open_;
    uint32_t running_ = kNone;  // the innermost call of the stack that runs
    uint32_t paused_last_ = kNone;
    uint32_t told_stack_ = 0;  // of the last step
    uint32_t stacks_ = 0;      // besides the thread's own
    uint64_t time_ = 0;        // of the last event
    bool is_finished_ = false;
    std::vector<Step> queue_;
    size_t head_ = 0;
};

}  // namespace mipstrace::tools
