#include "lib/record/recorder.h"

#include <algorithm>

#include "lib/base/clock.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/plain_ops.h"
#include "lib/record/notes.h"
#include "lib/record/stack_writer.h"
#include "lib/record/triggers.h"
#include "lib/record/value_writer.h"

namespace mipstrace::record {

using format::ClockId;
using format::Kind;

constinit Limits limits{};

namespace {

// While entry and return are called, the core has claimed the frame at hand; for left, none.
constexpr size_t kClaimsInCall = 1;
constexpr size_t kClaimsInLeft = 0;

__attribute__((noinline, cold)) void write_sync(EventWriter& writer, uint64_t now,
                                                size_t own_claims) {
    // A new chunk brings a sync of its own.
    const uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
    if ((at & kChunkMask) == 0) {
        take_chunk(writer, at, own_claims);
        return;
    }
    writer.sync = uint32_t(now >> 30);
    write_record(writer, uint32_t(now), format::RecordType::sync, format::Sync{now, 0, 0},
                 own_claims);
}

// By itself, or registers that the system call changes would be saved around all of the entry.
[[gnu::noinline]] uint64_t read_mono() {
    return mono_ns();
}

// The clock's low 32 bits, after a sync where they would become ambiguous.
template <ClockId clock>
uint32_t timestamp(EventWriter& writer, size_t own_claims) {
    if constexpr (clock == ClockId::cycles) {
        return read_cycles();
    } else {
        const uint64_t now = read_mono();
        if (__builtin_expect(uint32_t(now >> 30) != writer.sync, 0))
            write_sync(writer, now, own_claims);
        return uint32_t(now);
    }
}

// Takes back the enter event of a call that was too short, if nothing was written since.
bool take_back(EventWriter& writer, uint32_t position, uint32_t now, uint32_t duration) {
    uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
    if ((at & kChunkMask) < sizeof(format::ChunkHeader) + sizeof(format::Event)) return false;
    auto* last = reinterpret_cast<format::Event*>(at) - 1;
    if (last->word != (position | uint32_t(Kind::enter)) || now - last->time >= duration)
        return false;
    last->word = 0;
    last->time = 0;
    // If a handler has written behind it meanwhile, the place stays empty.
    __atomic_compare_exchange_n(&writer.cursor, &at, at - sizeof(format::Event), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return true;
}

// Of the open calls that were recorded, those made after the one of `frame`.
uint32_t calls_above(const fgraph::Frame& frame, const fgraph_ops& ops) {
    return fgraph::this_thread->stack.count_above(frame, 1u << ops.slot);
}

__attribute__((noinline, cold)) void write_switched(EventWriter& writer, uint32_t now,
                                                    uint32_t word, uint32_t above) {
    write_record(writer, now, format::RecordType::switched, format::Switched{word, above},
                 kClaimsInCall);
}

bool is_on_other_stack(const fgraph::Frame& frame) {
    return (frame.users & (fgraph::kFirst | fgraph::kElsewhere)) != 0;
}

// An entry whose frame has a mark: which call it is made from.
uint32_t caller_of(const fgraph::Frame& frame, const fgraph_ops& ops) {
    uint32_t above = format::kNoCall;
    if (frame.outer != 0) above = calls_above(fgraph::this_thread->stack.base[frame.outer], ops);
    return (frame.users & fgraph::kFirst) != 0 ? above | format::kFirstOnStack : above;
}

// Open calls are counted where they stand: a handler may jump out of any entry or return, and a
// call may return in another thread.
bool is_too_deep(const ftrace_graph_call& call, const fgraph_ops& ops) {
    const uint32_t most = limits.max_depth.load(std::memory_order_relaxed);
    if (most == 0 || uint32_t(call.depth) < most) return false;
    return fgraph::this_thread->stack.has_taken(most, 1u << ops.slot);
}

// With triggers around, or its own: those that limit depth count in the place of what holds for
// all.
[[gnu::noinline]] bool is_admitted(fgraph::Frame& frame, const fgraph_ops& ops) {
    if (limits.is_off.load(std::memory_order_relaxed)) return false;
    uint32_t depth = kAnyDepth;
    if (limits.nests.load(std::memory_order_relaxed)) {
        const bool is_own = (frame.users & fgraph::kNoted) != 0;
        uint32_t noted = is_own ? frame.noted : limit_around(frame);
        depth = noted & kDepthMask;
        if (depth == 0) return false;
        if (depth != kAnyDepth) noted--;
        if (is_own || noted != kNoLimit) {
            frame.noted = noted;
            frame.users |= fgraph::kNoted;
        }
    }
    return depth != kAnyDepth || !is_too_deep(frame.call, ops);
}

uint32_t shortest_of(const fgraph::Frame& frame) {
    const uint32_t rule =
        (frame.users & fgraph::kNoted) != 0 ? (frame.noted & kTimeMask) >> kTimeShift : 0;
    return rule != 0 ? limits.times[rule] : limits.min_duration.load(std::memory_order_relaxed);
}

uint32_t counters_of(const fgraph::Frame& frame) {
    return (frame.users & fgraph::kNoted) != 0 ? (frame.noted & ~kStackNote) >> kNotesShift : 0;
}

// That a trigger asks for, or a rule of the function.
template <bool limited>
bool has_stack(const fgraph::Frame& frame, const FunctionRules* rules) {
    if (rules != nullptr && rules->has_stack) return true;
    return limited && (frame.users & fgraph::kNoted) != 0 && (frame.noted & kStackNote) != 0;
}

// Of a thread that has no chunk. False: nothing is recorded, which is counted.
__attribute__((noinline, cold)) bool may_begin(const EventWriter& writer) {
    if (writer.muted != 0) {
        count_muted();
        return false;
    }
    if (!trace_file.has_ended()) return true;
    constexpr uint32_t kEvents = 2;  // it would have been entered, and left
    count_loss(format::Loss::no_space, kEvents);
    return false;
}

template <ClockId clock, bool limited, bool with_values>
int record_entry(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (__builtin_expect(writer.cursor == 0, 0) && !may_begin(writer)) return 0;
    fgraph::Frame& frame = fgraph::frame_of(*call);
    if constexpr (limited) {
        if (!is_admitted(frame, *ops)) return 0;
    }
    const FunctionRules* const rules = with_values ? value_rules_of(call->position) : nullptr;
    // The time that it takes is the caller's.
    if (__builtin_expect(has_stack<limited>(frame, rules), 0))
        write_stack(writer, frame, *regs, kClaimsInCall);
    const uint32_t now = timestamp<clock>(writer, kClaimsInCall);
    const uint32_t word = call->position | uint32_t(Kind::enter);
    if (__builtin_expect(rules != nullptr && rules->has_arguments, 0))
        write_with_values(writer, now,
                          {word, is_on_other_stack(frame) ? caller_of(frame, *ops) : 0}, *rules,
                          regs, kClaimsInCall);
    else if (__builtin_expect(is_on_other_stack(frame), 0))
        write_switched(writer, now, word, caller_of(frame, *ops));
    else
        write_event(writer, now, word, kClaimsInCall);
    if constexpr (limited) {
        if (const uint32_t counters = counters_of(frame); counters != 0)
            write_counters(counters, false);
    }
    return 1;
}

template <ClockId clock, bool limited, bool with_values>
void record_return(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    const fgraph::Frame& frame = fgraph::frame_of(*call);
    if constexpr (limited) {
        if (const uint32_t counters = counters_of(frame); counters != 0)
            write_counters(counters, true);
    }
    const uint32_t now = timestamp<clock>(writer, kClaimsInCall);
    if constexpr (limited) {
        const FunctionRules* const its = with_values ? value_rules_of(call->position) : nullptr;
        const uint32_t shortest = shortest_of(frame);
        if (shortest != 0 &&
            (take_back(writer, call->position, now, shortest) ||
             (its != nullptr && take_back_with_values(writer, call->position, now, shortest)))) {
            if (has_stack<limited>(frame, its)) take_back_stack(writer, call->position);
            return;
        }
    }
    const uint32_t word = call->position | uint32_t(Kind::leave);
    const uint32_t above =
        (frame.users & fgraph::kForeign) != 0 ? format::kNoCall : calls_above(frame, *ops);
    const FunctionRules* const rules = with_values ? value_rules_of(call->position) : nullptr;
    if (__builtin_expect(rules != nullptr && rules->has_returned, 0))
        write_with_values(writer, now, {word, above}, *rules, regs, kClaimsInCall);
    else if (__builtin_expect(above != 0, 0))
        write_switched(writer, now, word, above);
    else
        write_event(writer, now, word, kClaimsInCall);
}

template <ClockId clock>
void record_left(const ftrace_graph_call* call, fgraph_ops* ops) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    const uint32_t now = timestamp<clock>(writer, kClaimsInLeft);
    const uint32_t above = calls_above(fgraph::frame_of(*call), *ops);
    write_record(writer, now, format::RecordType::left, format::Left{call->position, above},
                 kClaimsInLeft);
}

template <ClockId clock, bool limited, bool with_values>
constexpr fgraph_ops make_ops() {
    fgraph_ops ops = fgraph::plain_ops("recorder", record_entry<clock, limited, with_values>,
                                       record_return<clock, limited, with_values>);
    ops.leftfunc = record_left<clock>;
    return ops;
}

template <ClockId clock>
fgraph_ops choose_ops(bool limited, bool with_values) {
    if (with_values)
        return limited ? make_ops<clock, true, true>() : make_ops<clock, false, true>();
    return limited ? make_ops<clock, true, false>() : make_ops<clock, false, false>();
}

RecorderOptions options;

fgraph_ops choose_ops(bool limited) {
    return options.clock == ClockId::cycles
               ? choose_ops<ClockId::cycles>(limited, options.with_values)
               : choose_ops<ClockId::mono>(limited, options.with_values);
}

fgraph_ops own_ops;

// Own triggers may have something written, even where nothing is limited.
bool is_looking() {
    return are_limited() || count_trigger_rules() != 0;
}

// The companion: with it in the sled, calls and returns come to the functions above with the
// registers that hold values.
int value_entry(const ftrace_graph_call* call, fgraph_ops*, ftrace_regs*) {
    const FunctionRules* const rules = value_rules_of(call->position);
    return rules != nullptr && rules->has_returned;
}
void value_return(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {}

fgraph_ops own_value_ops = fgraph::plain_ops("arguments", value_entry, value_return);

}  // namespace

fgraph_ops& recorder_ops(const RecorderOptions& wanted) {
    options = wanted;
    own_ops = choose_ops(is_looking());
    return own_ops;
}

bool are_limited() {
    return limits.max_depth != 0 || limits.min_duration != 0 ||
           (actions_of_triggers() & triggers::kOfOthers) != 0;
}

void look_at_limits() {
    const fgraph_ops ops = choose_ops(is_looking());
    if (ops.entryfunc != own_ops.entryfunc)
        fgraph::exchange_callbacks(&own_ops, ops.entryfunc, ops.retfunc);
}

uint32_t timestamp_in_call(EventWriter& writer) {
    return options.clock == ClockId::cycles ? timestamp<ClockId::cycles>(writer, kClaimsInCall)
                                            : timestamp<ClockId::mono>(writer, kClaimsInCall);
}

fgraph_ops& value_ops() {
    // Callers are found by $30, too.
    if (has_stack_rules()) own_value_ops.flags |= FGRAPH_OPS_FL_REGS;
    return own_value_ops;
}

}  // namespace mipstrace::record
