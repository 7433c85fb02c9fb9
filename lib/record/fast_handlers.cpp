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

bool sync_is_due(uint64_t now) {
    return uint32_t(now >> 30) != writer_of(*fgraph::this_thread).sync;
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

template <ClockId clock>
uintptr_t enter(ftrace_regs* regs) {
    if constexpr (clock == ClockId::cycles) return enter_at(regs, read_cycles(), false);
    const uint64_t now = mono_ns();
    return enter_at(regs, uint32_t(now), sync_is_due(now));
}

template <ClockId clock>
uintptr_t leave(ftrace_regs* regs) {
    if constexpr (clock == ClockId::cycles) return leave_at(regs, read_cycles(), false);
    const uint64_t now = mono_ns();
    return leave_at(regs, uint32_t(now), sync_is_due(now));
}

// Turns the first two words of return_to_handler into its way without the handlers.
void open_fast_way(ClockId clock, uint32_t page, uint32_t users) {
    using namespace mips;
    fgraph_handlers.thread = reinterpret_cast<intptr_t>(&fgraph::this_thread) -
                             reinterpret_cast<intptr_t>(__builtin_thread_pointer());
    fgraph_handlers.clock = reinterpret_cast<const void*>(vdso_clock_gettime);
    patch::Module self{};
    self.text_protection = PROT_READ | PROT_EXEC;
    const uintptr_t start = fgraph::handler_address();
    patch::WritableText text(self, start, start + 2 * sizeof(uint32_t));
    if (!text.ok()) return;  // entries and returns go through the handlers
    auto* words = reinterpret_cast<volatile uint32_t*>(start);
    const uint32_t load_page = lui(r12, uint16_t(page >> 16));
    if (clock == ClockId::cycles) {
        text.write(words, load_page);
        text.write(words + 1, load_pointer(r14, TRAMPOLINE_PAGE_HANDLERS, r12));
    } else {
        const uintptr_t target = reinterpret_cast<uintptr_t>(&record_leave_by_mono);
        text.write(words + 1, load_page);
        text.write(words, b(int16_t((target - start) / sizeof(uint32_t) - 1)));
    }
    fgraph_handlers.fast_users = users;
}

}  // namespace

void install_fast_handlers(ClockId clock, unsigned slot, uint32_t page) {
    recorder_alone = uint64_t(1) << slot;
    const bool cycles = clock == ClockId::cycles;
    fgraph_handlers.leave = cycles ? leave<ClockId::cycles> : leave<ClockId::mono>;
    fgraph_handlers.enter = cycles ? enter<ClockId::cycles> : enter<ClockId::mono>;
    open_fast_way(clock, page, uint32_t(recorder_alone));
}

}  // namespace mipstrace::record
