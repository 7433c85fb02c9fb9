// The calls of one thread: events matched to each other and filtered.
//
//   EventReader --> CallStream --> replay, report, graph
//
// What the filters drop leaves no trace: it counts neither as a call nor as anybody's callee, as if
// it had not been recorded. With a threshold of time, a call is handed on as soon as it is known
// to be long enough, so that steps of a thread stay in the order of their times. With targets (-C),
// it is as soon as one of them is called inside of it, or it is one itself.
//
// A thread can run on several stacks in turn (coroutines). A call on another stack counts as made
// by the call that switched to it; the time in which a stack doesn't run is no call's own on it.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/event_reader.h"
#include "tools/model/functions.h"
#include "tools/model/open_calls.h"
#include "tools/model/step.h"

namespace mipstrace::tools {

struct CallFilter {
    uint32_t depth = 0;         // of shown calls, from the thread's or a -F function's; 0: any
    uint64_t threshold_ns = 0;  // shorter calls are dropped
    // As if the recording had been switched on and off at these moments: calls that are open at the
    // first one go on, at the last one they are in flight.
    uint64_t start_ns = 0;
    uint64_t stop_ns = ~uint64_t(0);
    // What recording a call costs, as the file says, is no time of calls.
    bool subtracts_overhead = false;
    // -F, -N, -H and -C are marks of the functions: Function::is_wanted, is_unwanted, is_hidden,
    // is_target.
};

class CallStream {
  public:
    // `last_moment`: up to when calls in flight count, if later than the last event. `first_chunk`:
    // what is before it is not read.
    CallStream(const TraceFile& file, const Thread& thread, FunctionsOfFile& functions,
               const CallFilter& filter, uint64_t last_moment = 0, size_t first_chunk = 0);

    bool next(Step* out) {
        if (queue_.size() == 0 && !fill()) return false;
        *out = queue_.take();
        return true;
    }
    // The step that next() will return, or the one behind it; null when there is none.
    const Step* peek(size_t ahead = 0) {
        while (queue_.size() <= ahead)
            if (!fill()) return nullptr;
        return &queue_[ahead];
    }
    const EventReader& reader() const { return reader_; }

  private:
    bool fill();
    void take(const Event& event);
    void take_other(const Event& event);
    void enter(const Event& event, bool goes_on = false);
    void leave(const Event& event, StepKind kind);
    void resume(const Event& gap);
    void go_on(const Event& open);
    void take_callers(const Event& event);
    void tell_callers(uint32_t call);
    void confirm(uint64_t now);
    void announce(uint32_t call);
    void lead_to(uint32_t target);
    uint64_t count_overhead(const OpenCall& call);
    void end(uint32_t call, uint64_t time, StepKind kind, uint64_t values = 0);
    void take_note(const Event& event);
    void drop_held(uint32_t call);
    void hand_on(const Step& step);
    void hand_on_held(uint64_t until);
    void report_unseen_call(const Event& event, StepKind kind);
    // Opens a call made by `caller`, or by none: what filters left of it.
    uint32_t add_call(uint32_t caller, uint64_t time);
    // Of an event that belongs to an open call.
    uint32_t call_meant(const Event& event) const;
    void run_on(uint32_t call, uint64_t now);
    void tell_stack(const OpenCall& call, uint64_t now);
    void pause(uint32_t call, uint64_t now);
    void add_unseen(uint64_t time);
    void begin_range();
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
    const CallFilter filter_;
    const bool has_wanted_;
    const bool has_targets_;
    const bool is_withholding_;  // calls are not announced at their entry
    const bool subtracts_;
    const format::OverheadRecord overhead_;
    const uint64_t last_moment_;
    OpenCalls open_;
    uint32_t running_ = kNone;  // the innermost call of the stack that runs
    uint32_t paused_last_ = kNone;
    uint32_t told_stack_ = 0;  // of the last step
    uint32_t stacks_ = 0;      // besides the thread's own
    uint64_t time_ = 0;        // of the last event
    bool is_before_;           // the range of time
    bool is_finished_ = false;
    StepQueue queue_;
    std::vector<Step> held_;         // when withholding
    std::vector<uint32_t> leading_;  // see lead_to
};

}  // namespace mipstrace::tools
