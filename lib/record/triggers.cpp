#include "lib/record/triggers.h"

#include "lib/base/clock.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/plain_ops.h"
#include "lib/fgraph/thread_state.h"
#include "lib/record/notes.h"
#include "lib/record/recorder.h"
#include "lib/record/snapshot.h"
#include "lib/record/trigger_rules.h"
#include "lib/record/value_source.h"

namespace mipstrace::record {

namespace {

using triggers::Condition;
using triggers::Trigger;

uint64_t read_argument(const ftrace_regs& regs, const values::Value& value) {
    union {
        unsigned char bytes[8];
        uint32_t low;
        uint64_t whole;
    } read{};
    read_value(regs, value, read.bytes);
    const unsigned bits = 8u * value.size;
    const uint64_t number = value.size > 4 ? read.whole : read.low;
    const uint64_t cleared = number << (64 - bits);
    return triggers::is_unsigned(value) ? cleared >> (64 - bits)
                                        : uint64_t(int64_t(cleared) >> (64 - bits));
}

bool hold_all(const Trigger& trigger, const ftrace_regs& regs) {
    for (unsigned i = 0; i < trigger.condition_count; i++) {
        const Condition& condition = trigger.conditions[i];
        if (!triggers::holds(condition, read_argument(regs, condition.argument))) return false;
    }
    return true;
}

void switch_recording(bool is_off, format::NoteKind kind) {
    if (limits.is_finished.load(std::memory_order_relaxed)) return;
    if (limits.is_off.exchange(is_off) != is_off) write_note(kind);
}

// What does not concern the frame.
void act(const Trigger& trigger) {
    if ((trigger.actions & triggers::kTraceOn) != 0)
        switch_recording(false, format::NoteKind::trace_on);
    if ((trigger.actions & triggers::kTraceOff) != 0)
        switch_recording(true, format::NoteKind::trace_off);
    if ((trigger.actions & triggers::kFinish) != 0) {
        switch_recording(true, format::NoteKind::finish);
        limits.is_finished.store(true, std::memory_order_relaxed);
    }
    if ((trigger.actions & triggers::kSnapshot) != 0) take_snapshot_in_call();
}

uint32_t with_limits_of(const Trigger& trigger, unsigned number, uint32_t noted) {
    if ((trigger.actions & triggers::kDepth) != 0) noted = (noted & ~kDepthMask) | trigger.depth;
    if ((trigger.actions & triggers::kTime) != 0)
        noted = (noted & ~kTimeMask) | number << kTimeShift;
    return noted;
}

int trigger_entry(const ftrace_graph_call* call, fgraph_ops*, ftrace_regs* regs) {
    const FunctionTriggers* const function = functions_with_triggers.find(call->position);
    if (function == nullptr) return 0;
    fgraph::Frame& frame = fgraph::frame_of(*call);
    const bool nests = limits.nests.load(std::memory_order_relaxed);
    const uint32_t around = nests ? limit_around(frame) : kNoLimit;
    uint32_t noted = around;
    for (const uint8_t number : function->rules) {
        if (number == 0) break;
        const Trigger& trigger = trigger_rule(number).trigger;
        if (!hold_all(trigger, *regs)) continue;
        act(trigger);
        noted = with_limits_of(trigger, number, noted) | trigger.counters << kNotesShift;
        if ((trigger.actions & triggers::kBacktrace) != 0) noted |= kStackNote;
    }
    if (noted == around) return 0;
    frame.noted = noted;
    frame.users |= fgraph::kNoted;
    // What is called inside looks for it, whoever else takes this call.
    return ((noted ^ around) & kLimitMask) != 0;
}

void trigger_return(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {}

fgraph_ops own_ops = fgraph::plain_ops("triggers", trigger_entry, trigger_return);

}  // namespace

fgraph_ops& trigger_ops() {
    return own_ops;
}

uint32_t limit_around(const fgraph::Frame& frame) {
    const fgraph::ShadowStack& stack = fgraph::this_thread->stack;
    const fgraph::Frame* outer = &frame - 1;
    if ((frame.users & (fgraph::kFirst | fgraph::kElsewhere)) != 0)
        outer = stack.base + frame.outer;
    for (; outer > stack.base; outer--) {
        if (outer->sp == fgraph::kDead) continue;
        const uint32_t users = fgraph::users_of(*outer);
        if ((users & fgraph::kNoted) != 0) return outer->noted & kLimitMask;
        // The recorder notes what it has found around its calls.
        if ((users & (fgraph::kRecorderAlone | fgraph::kStackMarks)) != 0) break;
    }
    return kNoLimit;
}

}  // namespace mipstrace::record
