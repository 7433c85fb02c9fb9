#include "tools/model/call_stream.h"

#include <algorithm>

namespace mipstrace::tools {

namespace {

constexpr uint32_t kNoLimit = ~uint32_t(0);
// How far down a return is compared with open calls when it isn't the innermost one's.
constexpr size_t kSearch = 256;
// Open calls that are believed of a chunk that says so without showing them.
constexpr uint32_t kMostUnseen = 1024;
// Steps that wait for calls to prove long enough.
constexpr size_t kMostHeld = 65536;
// Steps that are made at once.
constexpr size_t kBatch = 128;

}  // namespace

CallStream::CallStream(const TraceFile& file, const Thread& thread, FunctionsOfFile& functions,
                       const CallFilter& filter, uint64_t last_moment, size_t first_chunk)
    : reader_(file, thread, first_chunk),
      functions_(functions),
      filter_(filter),
      has_wanted_(functions.has_wanted()),
      has_targets_(functions.has_targets()),
      is_withholding_(filter.threshold_ns != 0 || has_targets_),
      subtracts_(filter.subtracts_overhead && file.overhead().has_value()),
      overhead_(file.overhead().value_or(format::OverheadRecord{})),
      last_moment_(last_moment),
      is_before_(filter.start_ns != 0) {}

bool CallStream::fill() {
    const size_t before = queue_.size();
    Event event;
    while (queue_.size() < before + kBatch && !is_finished_) {
        if (!reader_.next(&event)) {
            finish();
        } else if (event.time > filter_.stop_ns) {
            time_ = filter_.stop_ns;
            finish();
        } else {
            take(event);
        }
    }
    return queue_.size() != before;
}

// What is always inlined is the way of a plain call, which makes up the time of reading.
[[gnu::always_inline]] inline void CallStream::take(const Event& event) {
    time_ = event.time;
    if (is_before_ && event.time >= filter_.start_ns) begin_range();
    if (filter_.threshold_ns != 0 && !is_before_) confirm(event.time);
    if (event.kind == EventKind::enter) return enter(event);
    if (event.kind == EventKind::leave) return leave(event, StepKind::leave);
    take_other(event);
}

void CallStream::take_other(const Event& event) {
    switch (event.kind) {
        case EventKind::enter:
        case EventKind::leave:
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
        case EventKind::noted:
            take_note(event);
            break;
        case EventKind::stack:
            take_callers(event);
            break;
        case EventKind::lost:
            if (is_before_) break;
            hand_on({event.time, 0, 0, event.detail, depth_now(), kNone, kNone, 0, StepKind::lost});
            break;
    }
}

[[gnu::always_inline]] inline uint32_t CallStream::add_call(uint32_t caller, uint64_t time) {
    const uint32_t number = open_.add();
    OpenCall& call = open_[number];
    call.time = time;
    call.caller = caller;
    if (caller == kNone) {
        call.is_inside = !has_wanted_;
        call.depth_left = filter_.depth != 0 ? filter_.depth : kNoLimit;
        return number;
    }
    const OpenCall& c = open_[caller];
    call.is_inside = c.is_inside;
    call.is_muted = c.is_muted;
    call.depth_left = c.depth_left;
    call.depth = inner_depth(c);
    call.stack = c.stack;
    call.shown_above = shown_around(caller);
    return number;
}

[[gnu::always_inline]] inline uint32_t CallStream::call_meant(const Event& event) const {
    const uint32_t above = event.detail & format::kAboveMask;
    return above == format::kNoCall ? kNone : open_.from_newest(above);
}

void CallStream::pause(uint32_t call, uint64_t now) {
    if (call == kNone || open_[call].is_paused) return;
    open_[call].is_paused = true;
    open_[call].paused_at = now;
    paused_last_ = call;
}

// The stack of `call` runs now, if it did not already.
[[gnu::always_inline]] inline void CallStream::run_on(uint32_t call, uint64_t now) {
    if (call == running_) return;
    const uint32_t shown = shown_around(call);
    // What filters hide on the same stack counts as the time of who is shown.
    const bool stays = call != kNone && running_ != kNone && shown == kNone &&
                       open_[call].stack == open_[running_].stack;
    if (!stays) pause(shown_around(running_), now);
    running_ = call;
    if (shown == kNone || !open_[shown].is_paused) return;
    open_[shown].is_paused = false;
    open_[shown].callees += now - open_[shown].paused_at;
}

[[gnu::always_inline]] inline void CallStream::enter(const Event& event, bool goes_on) {
    const uint32_t caller = event.detail == 0 ? open_.newest() : call_meant(event);
    const uint32_t number = add_call(caller, event.time);
    OpenCall& call = open_[number];
    const KnownFunction function = functions_.at(event.position);
    call.position = event.position;
    call.values = event.values;
    call.goes_on = goes_on;
    call.function = function.number();
    if (function.is_wanted()) {
        call.is_inside = true;
        call.depth_left = filter_.depth != 0 ? filter_.depth : kNoLimit;
    }
    if (function.is_unwanted()) call.is_muted = true;
    call.is_shown =
        call.is_inside && !call.is_muted && !function.is_hidden() && call.depth_left != 0;
    if (call.is_shown && filter_.depth != 0) call.depth_left--;
    if ((event.detail & format::kFirstOnStack) != 0 && call.is_shown) {
        call.is_first = true;
        call.caller = kNone;
        call.stack = ++stacks_;
        pause(call.shown_above, event.time);
        pause(shown_around(running_), event.time);
    } else {
        run_on(caller, event.time);
    }
    running_ = number;
    if (call.is_shown && !is_withholding_ && !is_before_) announce(number);
    if (function.is_target() && call.is_shown) lead_to(number);
}

// When withholding, calls are announced when that is decided, on whatever stack.
[[gnu::always_inline]] inline void CallStream::tell_stack(const OpenCall& call, uint64_t now) {
    if (call.stack == told_stack_ || is_withholding_) return;
    told_stack_ = call.stack;
    queue_.add() = {now,   0,     0,          call.function,     call.depth,
                    kNone, kNone, call.stack, StepKind::switched};
}

[[gnu::always_inline]] inline void CallStream::announce(uint32_t number) {
    OpenCall& call = open_[number];
    call.is_announced = true;
    tell_stack(call, call.time);
    queue_.add() = {call.time,
                    0,
                    0,
                    call.function,
                    call.depth,
                    number,
                    call.shown_above,
                    call.stack,
                    call.goes_on ? StepKind::goes_on : StepKind::enter,
                    false,
                    call.values};
    if (call.callers != 0) tell_callers(number);
}

void CallStream::take_callers(const Event& event) {
    const uint32_t number = open_.newest();
    if (number == kNone || open_[number].position != event.position) return;
    open_[number].callers = event.values;
    if (open_[number].is_announced) tell_callers(number);
}

void CallStream::tell_callers(uint32_t number) {
    const OpenCall& call = open_[number];
    queue_.add() = {call.time,         0,      0,           call.function,
                    inner_depth(call), number, kNone,       call.stack,
                    StepKind::callers, false,  call.callers};
}

// A target is called: so are those around it shown, those that prove too short excepted.
void CallStream::lead_to(uint32_t target) {
    for (uint32_t c = target; c != kNone && !open_[c].leads; c = open_[c].shown_above) {
        open_[c].leads = true;
        leading_.push_back(c);
    }
    for (; !leading_.empty(); leading_.pop_back()) {
        const uint32_t number = leading_.back();
        if (is_before_ || time_ - open_[number].time < filter_.threshold_ns) continue;
        hand_on_held(open_[number].time);
        announce(number);
    }
}

// Calls that have lasted long enough by `now` are shown whatever follows, unless they lead to no
// target: when one is called, lead_to looks at them again.
void CallStream::confirm(uint64_t now) {
    uint64_t decided = now + 1;
    open_.visit_new([&](uint32_t number) {
        const OpenCall& call = open_[number];
        if (!call.is_shown || call.is_announced) return true;
        if (now - call.time < filter_.threshold_ns) {
            decided = call.time;
            return false;
        }
        if (has_targets_ && !call.leads) return true;
        hand_on_held(call.time);
        announce(number);
        return true;
    });
    if (!has_targets_) hand_on_held(decided);
}

// It goes with the call that it is in.
void CallStream::take_note(const Event& event) {
    const uint32_t call = open_.newest();
    if (is_before_ || (call == kNone ? has_wanted_ : !open_[call].is_shown)) return;
    const Step step{
        event.time,      0,     0,           0, depth_now(), call, shown_around(call), 0,
        StepKind::noted, false, event.values};
    if (call != kNone && open_[call].is_announced)
        queue_.add() = step;
    else
        hand_on(step);
}

void CallStream::drop_held(uint32_t call) {
    std::erase_if(
        held_, [&](const Step& step) { return step.kind == StepKind::noted && step.call == call; });
}

// What is no call waits for the calls around it of which it isn't decided yet.
void CallStream::hand_on(const Step& step) {
    if (!is_withholding_) {
        queue_.add() = step;
        return;
    }
    held_.push_back(step);
    if (held_.size() == kMostHeld) hand_on_held(step.time + 1);
}

// Those of before this moment. A note goes behind the begin of its call, or with it.
void CallStream::hand_on_held(uint64_t until) {
    size_t count = 0;
    for (; count < held_.size() && held_[count].time < until; count++) {
        const Step& held = held_[count];
        if (held.kind == StepKind::noted && held.call != kNone && !open_[held.call].is_announced)
            continue;
        Step& step = queue_.add();
        step = held;
        step.depth = 0;
        for (uint32_t above = 0; above < kSearch && open_.from_newest(above) != kNone; above++) {
            const OpenCall& call = open_[open_.from_newest(above)];
            if (!call.is_announced || call.time > step.time) continue;
            step.depth = inner_depth(call);
            break;
        }
    }
    held_.erase(held_.begin(), held_.begin() + ptrdiff_t(count));
}

// Picoseconds between the events of a call that ends, by it and all below it; what filters hide was
// recorded, too.
uint64_t CallStream::count_overhead(const OpenCall& call) {
    if (call.caller != kNone) open_[call.caller].calls_below += call.calls_below + 1;
    return overhead_.inside_ps + call.calls_below * (overhead_.inside_ps + overhead_.outside_ps);
}

[[gnu::always_inline]] inline void CallStream::end(uint32_t number, uint64_t time, StepKind kind,
                                                   uint64_t values) {
    OpenCall& call = open_[number];
    if (paused_last_ == number) paused_last_ = kNone;
    if (running_ == number) {
        running_ = call.caller;
        // A coroutine is over, it seems: who has resumed it goes on.
        if (call.is_first && paused_last_ != kNone) run_on(paused_last_, time);
    }
    const uint64_t overhead_ps = subtracts_ ? count_overhead(call) : 0;
    if (!call.is_announced && !held_.empty()) drop_held(number);
    if (call.is_announced) {
        if (!held_.empty()) hand_on_held(time + 1);
        if (call.is_paused) call.callees += time - call.paused_at;
        uint64_t duration = time - call.time;
        uint64_t self = duration - std::min(duration, call.callees);
        if (call.shown_above != kNone && !call.is_first)
            open_[call.shown_above].callees += duration;
        if (subtracts_) {
            const uint64_t own_ps = overhead_ps - std::min(overhead_ps, call.callees_overhead_ps);
            if (call.shown_above != kNone && !call.is_first)
                open_[call.shown_above].callees_overhead_ps += overhead_ps;
            duration -= std::min(duration, overhead_ps / 1000);
            self = std::min(self - std::min(self, own_ps / 1000), duration);
        }
        tell_stack(call, time);
        queue_.add() = {time,   duration,         self,       call.function, call.depth,
                        number, call.shown_above, call.stack, kind,          call.goes_on,
                        values};
    }
    open_.remove(number);
}

[[gnu::always_inline]] inline void CallStream::leave(const Event& event, StepKind kind) {
    const uint32_t meant = call_meant(event);
    if (meant != kNone && open_[meant].position == event.position) {
        if (kind == StepKind::leave) run_on(meant, event.time);
        end(meant, event.time, kind, event.values);
        return;
    }
    // Not what the writer meant: events are missing. But it may be a call further out.
    for (uint32_t above = 1; above < kSearch && event.detail == 0; above++) {
        const uint32_t outer = open_.from_newest(above);
        if (outer == kNone) break;
        if (open_[outer].position != event.position) continue;
        while (open_.newest() != outer)
            end(open_.newest(), event.time, StepKind::left);
        run_on(outer, event.time);
        end(outer, event.time, kind, event.values);
        return;
    }
    report_unseen_call(event, kind);
}

// The end of a call that began before the recording, in another thread, or whose call is among
// missing events.
void CallStream::report_unseen_call(const Event& event, StepKind kind) {
    const uint32_t inner = open_.newest();
    bool is_shown = !has_wanted_ && (filter_.depth == 0 || inner == kNone);
    if (event.detail == 0 && inner != kNone && open_[inner].position == 0) {
        is_shown = is_shown && open_[inner].depth_left != 0;
        end(inner, event.time, kind, event.values);
    } else if (event.detail == 0 && inner != kNone) {
        is_shown = false;  // inside of calls that are known: nothing it could belong to
    }
    const KnownFunction function = functions_.at(event.position);
    if (function.is_hidden() || (has_targets_ && !function.is_target())) is_shown = false;
    if (is_shown && !function.is_unwanted() && !is_before_)
        hand_on({event.time, 0, 0, function.number(), depth_now(), kNone, kNone, 0,
                 StepKind::unseen_call, false, event.values});
}

// Events are missing here, and the writer says how many calls were open behind the hole.
void CallStream::resume(const Event& gap) {
    while (open_.size() > gap.detail)
        end(open_.newest(), gap.time, StepKind::unseen_end);
    const uint32_t wanted = std::min(gap.detail, kMostUnseen);
    while (open_.size() < wanted)
        add_unseen(gap.time);
    run_on(open_.newest(), gap.time);
}

// Behind the hole this call is open. Unless it was before, its entry is in the hole.
void CallStream::go_on(const Event& open) {
    const uint32_t size = uint32_t(open_.size());
    if (open.detail > size) return;
    if (open.detail < size) {
        const uint32_t there = open_.from_newest(size - 1 - open.detail);
        if (open_[there].position == open.position) return;
    }
    while (open_.size() > open.detail)
        end(open_.newest(), open.time, StepKind::unseen_end);
    Event entry = open;
    entry.detail = 0;
    enter(entry, true);
}

void CallStream::add_unseen(uint64_t time) {
    OpenCall& call = open_[add_call(open_.newest(), time)];
    if (call.depth_left != 0 && filter_.depth != 0) call.depth_left--;
}

// What is open now counts from here on.
void CallStream::begin_range() {
    is_before_ = false;
    open_.visit_all([&](uint32_t number) {
        OpenCall& call = open_[number];
        call.time = call.paused_at = filter_.start_ns;
        call.callees = call.callees_overhead_ps = 0;
        call.calls_below = 0;
        call.goes_on = true;
        const bool is_decided = !is_withholding_ || (filter_.threshold_ns == 0 && call.leads);
        if (call.is_shown && is_decided) announce(number);
    });
}

void CallStream::finish() {
    is_finished_ = true;
    const uint64_t last = std::min(std::max(time_, last_moment_), filter_.stop_ns);
    if (is_before_ && last < filter_.start_ns) return;
    if (is_before_) begin_range();
    open_.visit_new([&](uint32_t number) {
        const OpenCall& call = open_[number];
        if (call.is_shown && !call.is_announced && (!has_targets_ || call.leads)) {
            hand_on_held(open_[number].time);
            announce(number);
        }
        return true;
    });
    hand_on_held(~uint64_t(0));
    while (open_.size() != 0)
        end(open_.newest(), last, StepKind::in_flight);
}

}  // namespace mipstrace::tools
