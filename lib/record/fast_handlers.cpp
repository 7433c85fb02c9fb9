#include "lib/record/fast_handlers.h"

#include "lib/base/clock.h"
#include "lib/fgraph/frames.h"
#include "lib/record/event_writer.h"

namespace mipstrace::record {

using format::ClockId;
using format::Kind;

namespace {

uint64_t recorder_alone;  // the set of users that holds the recorder only

constexpr size_t kOwnClaims = 1;

// Reads the clock. False: a sync is due.
template <ClockId clock>
bool read_clock(const EventWriter& writer, uint32_t* time) {
    if constexpr (clock == ClockId::cycles) {
        *time = read_cycles();
        return true;
    } else {
        const uint64_t now = mono_ns();
        *time = uint32_t(now);
        return uint32_t(now >> 30) == writer.sync;
    }
}

// Claims one slot. Null: a handler has come in between and filled the chunk.
inline format::Event* claim_one(EventWriter& writer) {
    for (;;) {
        const uintptr_t at = writer.cursor;
        if (__builtin_expect((at & kChunkMask) == 0, 0)) return nullptr;
        if (__builtin_expect(local_cas(&writer.cursor, at, at + sizeof(format::Event)), 1))
            return reinterpret_cast<format::Event*>(at);
    }
}

inline void fill(format::Event* event, uint32_t time, uint32_t word) {
    event->time = time;
    fgraph::order_for_handlers();
    event->word = word;
}

inline bool has_room(const EventWriter& writer) {
    return (writer.cursor & kChunkMask) != 0;
}

// The rest of an entry and of a return for which no slot could be claimed. Tail calls of the
// handlers, which thereby stay leaf functions that save nothing.
__attribute__((noinline, cold)) uintptr_t enter_without_room(fgraph::Frame* frame, uint32_t time) {
    write_event(writer_of(*fgraph::this_thread), time, frame->position | uint32_t(Kind::enter),
                kOwnClaims);
    fgraph::complete_frame(frame);
    return fgraph::handler_address();
}

__attribute__((noinline, cold)) uintptr_t leave_without_room(fgraph::Frame* frame, uint32_t time) {
    const uintptr_t return_address = frame->ret;
    write_event(writer_of(*fgraph::this_thread), time, frame->position | uint32_t(Kind::leave),
                kOwnClaims);
    fgraph::order_for_handlers();
    fgraph::this_thread->stack.top = frame;
    return return_address;
}

template <ClockId clock>
uintptr_t enter(ftrace_regs* regs) {
    fgraph::ThreadState& thread = *fgraph::this_thread;
    EventWriter& writer = writer_of(thread);
    uint32_t time;
    if (__builtin_expect(regs->users != recorder_alone, 0) ||
        __builtin_expect(!fgraph::can_push(thread, fgraph::entry_sp(regs)), 0) ||
        __builtin_expect(!has_room(writer), 0) ||
        __builtin_expect(!read_clock<clock>(writer, &time), 0))
        return fgraph_enter(regs);
    fgraph::Frame* frame = fgraph::claim_frame(thread, regs, uint16_t(recorder_alone));
    format::Event* event = claim_one(writer);
    if (__builtin_expect(event == nullptr, 0)) return enter_without_room(frame, time);
    fill(event, time, frame->position | uint32_t(Kind::enter));
    fgraph::complete_frame(frame);
    return fgraph::handler_address();
}

template <ClockId clock>
uintptr_t leave(ftrace_regs* regs) {
    fgraph::ThreadState& thread = *fgraph::this_thread;
    EventWriter& writer = writer_of(thread);
    fgraph::Frame* frame = thread.stack.top - 1;
    const uintptr_t return_address = frame->ret;
    uint32_t time;
    if (__builtin_expect(frame->sp != fgraph::entry_sp(regs), 0) ||
        __builtin_expect(frame->users != recorder_alone, 0) ||
        __builtin_expect(return_address == fgraph::handler_address(), 0) ||
        __builtin_expect(!has_room(writer), 0) ||
        __builtin_expect(!read_clock<clock>(writer, &time), 0))
        return fgraph_leave(regs);
    frame->sp |= fgraph::kClaimed;
    fgraph::order_for_handlers();
    format::Event* event = claim_one(writer);
    if (__builtin_expect(event == nullptr, 0)) return leave_without_room(frame, time);
    fill(event, time, frame->position | uint32_t(Kind::leave));
    fgraph::order_for_handlers();
    thread.stack.top = frame;
    return return_address;
}

}  // namespace

void install_fast_handlers(ClockId clock, unsigned slot) {
    recorder_alone = uint64_t(1) << slot;
    const bool cycles = clock == ClockId::cycles;
    fgraph_handlers.leave = cycles ? leave<ClockId::cycles> : leave<ClockId::mono>;
    fgraph_handlers.enter = cycles ? enter<ClockId::cycles> : enter<ClockId::mono>;
}

}  // namespace mipstrace::record
