#include "tools/model/call_stream.h"

#include <algorithm>

namespace mipstrace::tools {

namespace {

constexpr uint32_t kNoLimit = ~uint32_t(0);
// How far down a return is compared with open calls when it isn't the innermost one's.
constexpr size_t kSearch = 256;
// Open calls that are believed of a chunk that says so without showing them.
constexpr uint32_t kMostUnseen = 1024;
// Steps that were handed out and may stay in the queue, while there are others behind them.
constexpr size_t kSpent = 256;

}  // namespace

CallStream::CallStream(const TraceFile& file, const Thread& thread, FunctionsOfFile& functions,
                       const CallFilter& filter, uint64_t last_moment)
    : reader_(file, thread),
      functions_(functions),
      all_(functions.functions()),
      filter_(filter),
      has_wanted_(all_.has_wanted()),
      last_moment_(last_moment) {}

bool CallStream::fill() {
    if (head_ == queue_.size()) {
        queue_.clear();
        head_ = 0;
    } else if (head_ >= kSpent) {
        queue_.erase(queue_.begin(), queue_.begin() + ptrdiff_t(head_));
        head_ = 0;
    }
    size_t before = queue_.size();
    while (queue_.size() == before) {
        Event event;
        if (reader_.next(&event)) {
            take(event);
        } else {
            if (is_finished_) return false;
            finish();
        }
    }
    return true;
}

void CallStream::take(const Event& event) {
    time_ = event.time;
    if (announced_ < stack_.size()) confirm(event.time);
    switch (event.kind) {
        case EventKind::enter:
            enter(event);
            break;
        case EventKind::leave:
            leave(event, StepKind::leave);
            break;
        case EventKind::left:
            leave(event, StepKind::left);
            break;
        case EventKind::gap:
            resume(event);
            break;
        case EventKind::open:
            go_on(event);
            break;
        case EventKind::lost:
            queue_.push_back({event.time, 0, 0, event.detail, depth_now(), StepKind::lost});
            break;
    }
}

CallStream::Frame CallStream::frame_inside_caller(uint64_t time) const {
    Frame frame{};
    frame.time = time;
    frame.is_inside = !has_wanted_;
    frame.depth_left = filter_.depth != 0 ? filter_.depth : kNoLimit;
    if (!stack_.empty()) {
        const Frame& caller = stack_.back();
        frame.is_inside = caller.is_inside;
        frame.is_muted = caller.is_muted;
        frame.depth_left = caller.depth_left;
        frame.depth = inner_depth(caller);
        frame.shown_above = caller.is_shown ? uint32_t(stack_.size()) : caller.shown_above;
    }
    return frame;
}

void CallStream::enter(const Event& event, bool goes_on) {
    Frame frame = frame_inside_caller(event.time);
    frame.position = event.position;
    frame.goes_on = goes_on;
    frame.function = functions_.number_of(event.position);
    const Function& function = all_[frame.function];
    if (function.is_wanted) {
        frame.is_inside = true;
        frame.depth_left = filter_.depth != 0 ? filter_.depth : kNoLimit;
    }
    if (function.is_unwanted) frame.is_muted = true;
    frame.is_shown = frame.is_inside && !frame.is_muted && frame.depth_left != 0;
    if (frame.is_shown && filter_.depth != 0) frame.depth_left--;
    stack_.push_back(frame);
    if (filter_.threshold_ns == 0) {
        announced_ = stack_.size();
        if (frame.is_shown) announce(frame);
    }
}

void CallStream::announce(const Frame& frame) {
    queue_.push_back({frame.time, 0, 0, frame.function, frame.depth,
                      frame.goes_on ? StepKind::goes_on : StepKind::enter});
}

// Frames that have lasted long enough by `now` are shown whatever follows.
void CallStream::confirm(uint64_t now) {
    for (; announced_ < stack_.size(); announced_++) {
        const Frame& frame = stack_[announced_];
        if (!frame.is_shown) continue;
        if (now - frame.time < filter_.threshold_ns) return;
        announce(frame);
    }
}

void CallStream::pop(uint64_t time, StepKind kind) {
    Frame frame = stack_.back();
    stack_.pop_back();
    bool is_announced = announced_ > stack_.size();
    announced_ = std::min(announced_, stack_.size());
    if (!frame.is_shown || !is_announced) return;
    uint64_t duration = time - frame.time;
    uint64_t self = duration - std::min(duration, frame.callees);
    if (frame.shown_above != 0) stack_[frame.shown_above - 1].callees += duration;
    queue_.push_back({time, duration, self, frame.function, frame.depth, kind});
}

void CallStream::leave(const Event& event, StepKind kind) {
    if (!stack_.empty() && stack_.back().position == event.position) {
        pop(event.time, kind);
        return;
    }
    size_t lowest = stack_.size() - std::min(stack_.size(), kSearch);
    for (size_t i = stack_.size(); i-- > lowest;) {
        if (stack_[i].position != event.position) continue;
        while (stack_.size() > i + 1)
            pop(event.time, StepKind::left);
        pop(event.time, kind);
        return;
    }
    // It ends a call that began before the recording, or whose call is among missing events.
    bool is_shown = !has_wanted_ && (filter_.depth == 0 || stack_.empty());
    if (!stack_.empty() && stack_.back().position == 0) {
        is_shown = is_shown && stack_.back().depth_left != 0;
        pop(event.time, kind);
    } else if (!stack_.empty()) {
        is_shown = false;  // inside of calls that are known: nothing it could belong to
    }
    uint32_t function = functions_.number_of(event.position);
    if (is_shown && !all_[function].is_unwanted)
        queue_.push_back({event.time, 0, 0, function, depth_now(), StepKind::unseen_call});
}

// Events are missing here, and the writer says how many calls were open behind the hole.
void CallStream::resume(const Event& gap) {
    while (stack_.size() > gap.detail)
        pop(gap.time, StepKind::unseen_end);
    uint32_t wanted = std::min(gap.detail, kMostUnseen);
    while (stack_.size() < wanted)
        push_unseen(gap.time);
}

// Behind the hole this call is open. Unless it was before, its entry is in the hole.
void CallStream::go_on(const Event& open) {
    if (open.detail > stack_.size()) return;
    if (open.detail < stack_.size() && stack_[open.detail].position == open.position) return;
    while (stack_.size() > open.detail)
        pop(open.time, StepKind::unseen_end);
    enter(open, true);
}

void CallStream::push_unseen(uint64_t time) {
    Frame frame = frame_inside_caller(time);
    if (frame.depth_left != 0 && filter_.depth != 0) frame.depth_left--;
    bool decided = announced_ == stack_.size();
    stack_.push_back(frame);
    if (decided) announced_ = stack_.size();
}

void CallStream::finish() {
    is_finished_ = true;
    uint64_t end = std::max(time_, last_moment_);
    for (; announced_ < stack_.size(); announced_++)
        if (stack_[announced_].is_shown) announce(stack_[announced_]);
    while (!stack_.empty())
        pop(end, StepKind::in_flight);
}

}  // namespace mipstrace::tools
