#include "lib/record/fast_handlers.h"

#include <sys/mman.h>

#include "lib/base/clock.h"
#include "lib/fgraph/frames.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"
#include "lib/record/event_writer.h"

namespace mipstrace::record {

using format::ClockId;
using format::Kind;

namespace {

uint64_t recorder_alone;  // the set of users that holds the recorder only

constexpr size_t kOwnClaims = 1;

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
    frame->users = 0;  // as in fgraph_enter: the new chunk should not count it as open
    write_event(writer_of(*fgraph::this_thread), time, frame->position | uint32_t(Kind::enter),
                kOwnClaims);
    frame->users = uint16_t(recorder_alone);
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

// `time` is what the event gets, `sync_due` that the clock needs a sync first.
__attribute__((always_inline)) inline uintptr_t enter_at(ftrace_regs* regs, uint32_t time,
                                                         bool sync_due) {
    fgraph::ThreadState& thread = *fgraph::this_thread;
    EventWriter& writer = writer_of(thread);
    if (__builtin_expect(regs->users != recorder_alone, 0) ||
        __builtin_expect(!fgraph::can_push(thread, fgraph::entry_sp(regs)), 0) ||
        __builtin_expect(!has_room(writer), 0) || __builtin_expect(sync_due, 0))
        return fgraph_enter(regs);
    fgraph::Frame* frame = fgraph::claim_frame(thread, regs, uint16_t(recorder_alone));
    format::Event* event = claim_one(writer);
    if (__builtin_expect(event == nullptr, 0)) return enter_without_room(frame, time);
    fill(event, time, frame->position | uint32_t(Kind::enter));
    fgraph::complete_frame(frame);
    return fgraph::handler_address();
}

__attribute__((always_inline)) inline uintptr_t leave_at(ftrace_regs* regs, uint32_t time,
                                                         bool sync_due) {
    fgraph::ThreadState& thread = *fgraph::this_thread;
    EventWriter& writer = writer_of(thread);
    fgraph::Frame* frame = thread.stack.top - 1;
    const uintptr_t return_address = frame->ret;
    if (__builtin_expect(frame->sp != fgraph::entry_sp(regs), 0) ||
        __builtin_expect(frame->users != recorder_alone, 0) ||
        __builtin_expect(return_address == fgraph::handler_address(), 0) ||
        __builtin_expect(!has_room(writer), 0) || __builtin_expect(sync_due, 0))
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

uintptr_t enter_by_cycles(ftrace_regs* regs) {
    return enter_at(regs, read_cycles(), false);
}
uintptr_t leave_by_cycles(ftrace_regs* regs) {
    return leave_at(regs, read_cycles(), false);
}

// Reading this clock is a call, across which everything that is live has to be saved. So it comes
// first, when nothing is, and the rest is a leaf function again.
inline bool sync_is_due(uint64_t now) {
    return uint32_t(now >> 30) != writer_of(*fgraph::this_thread).sync;
}

__attribute__((noinline)) uintptr_t enter_at_ns(ftrace_regs* regs, uint64_t now) {
    return enter_at(regs, uint32_t(now), sync_is_due(now));
}
__attribute__((noinline)) uintptr_t leave_at_ns(ftrace_regs* regs, uint64_t now) {
    return leave_at(regs, uint32_t(now), sync_is_due(now));
}

uintptr_t enter_by_mono(ftrace_regs* regs) {
    return enter_at_ns(regs, mono_ns());
}
uintptr_t leave_by_mono(ftrace_regs* regs) {
    return leave_at_ns(regs, mono_ns());
}

// Turns the first two words of return_to_handler into its way in registers.
void open_way_in_registers(uint32_t page, uint32_t users) {
    using namespace mips;
    fgraph_handlers.thread = reinterpret_cast<intptr_t>(&fgraph::this_thread) -
                             reinterpret_cast<intptr_t>(__builtin_thread_pointer());
    patch::Module self{};
    self.text_protection = PROT_READ | PROT_EXEC;
    const uintptr_t start = fgraph::handler_address();
    patch::WritableText text(self, start, start + 2 * sizeof(uint32_t));
    if (!text.ok()) return;  // entries and returns go through the handlers
    auto* words = reinterpret_cast<volatile uint32_t*>(start);
    text.write(words, lui(r12, uint16_t(page >> 16)));
    text.write(words + 1, load_pointer(r14, TRAMPOLINE_PAGE_HANDLERS, r12));
    fgraph_handlers.fast_users = users;
}

}  // namespace

void install_fast_handlers(ClockId clock, unsigned slot, uint32_t page) {
    recorder_alone = uint64_t(1) << slot;
    const bool cycles = clock == ClockId::cycles;
    fgraph_handlers.leave = cycles ? leave_by_cycles : leave_by_mono;
    fgraph_handlers.enter = cycles ? enter_by_cycles : enter_by_mono;
    if (cycles) open_way_in_registers(page, uint32_t(recorder_alone));
}

}  // namespace mipstrace::record
