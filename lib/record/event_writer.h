// Where a thread's events go: a cursor into the chunk that it owns.
//
//   window 0: | header | events .......... |   full, stays mapped one chunk longer
//   window 1: | header | events ..^cursor  |
//
// A slot is claimed by moving the cursor with one compare-and-swap, then filled. A signal handler
// that interrupts between the two appends behind the slot, so nothing is overwritten. Chunks are
// aligned to their size: a cursor at a multiple of it means "no room".
//
// With the cycle counter as clock another thread parks cursors from time to time: it keeps the
// cursor in `parked` and puts the chunk's begin in its place. So the thread's next event, how long
// after whatever, takes the way of a full chunk and brings a sync record with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "lib/base/local_cas.h"
#include "lib/fgraph/thread_state.h"
#include "lib/record/trace_file.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::record {

// Windows that a writer may still write to which was interrupted, as by a handler that records:
// they stay mapped until a change of chunk that interrupts nobody, or the thread's end.
struct GivenUpWindows {
    static constexpr size_t kMost = 15;
    size_t count;
    char* windows[kMost];
};

struct EventWriter {
    uintptr_t cursor;  // 0 at first, and in the child of a fork: no room
    uint32_t sync;     // clock bits above the 30th, at the last sync
    uint32_t muted;    // 1: nothing is recorded, see mute(); the cursor is 0
    uintptr_t parked;  // where the cursor goes on that stands at the chunk's begin
    // What a fork does not wipe.
    alignas(fgraph::kWipedBytes) uint32_t sequence;  // of the next chunk
    uint32_t window;                                 // of the current chunk
    uint32_t generation;                             // of the file that the chunk is in
    uint32_t used_before;                            // bytes of the chunk in the other window
    char* windows;                                   // two of kChunkSize each
    GivenUpWindows* given_up;                        // null: none
    format::ChunkHeader* chunk;
    uint32_t tid;        // of the thread, once it has had a chunk
    uint32_t number;     // of the thread in the file
    uint32_t mapped[2];  // chunk in each window; it is the thread's as long as it is mapped
};

static_assert(sizeof(EventWriter) <= offsetof(fgraph::ThreadState, stack));
static_assert(THREAD_WRITER_CURSOR + offsetof(EventWriter, sync) == THREAD_WRITER_SYNC);

// The writer of a thread that has a block, beside the shadow stack.
inline EventWriter& writer_of(fgraph::ThreadState& thread) {
    return *reinterpret_cast<EventWriter*>(thread.wiped_words);
}

extern TraceFile trace_file;

inline constexpr uintptr_t kChunkMask = kChunkSize - 1;

// Called with the cycle counter as clock, by a thread that has just noted both clocks, with all
// signals blocked: from now on its silence has to be watched (park_cursors). Null: nobody does.
// Set once, before the first event.
extern void (*on_clocks_noted)();

// Takes a new chunk for `writer`, or goes on in its chunk where its cursor is parked, unless that
// is not at `full` any more: a handler did so. `own_claims` is the number of shadow frames that the
// caller itself has claimed: with more of them, this is a handler that interrupted a writer, whose
// slot may lie in the old chunk. False: no room.
bool take_chunk(EventWriter& writer, uintptr_t full, size_t own_claims);

// Counts events or calls that were lost in this thread.
void count_loss(format::Loss cause, uint32_t count = 1);

// Gives back the windows of the calling thread, which writes no more.
void close_writer();

// In the child of a fork, before it has other threads: leaves to the parent what is the parent's.
// The child's events go to a file of its own, which is made at the first of them, since most
// children exec at once; or here, where they can't come before somebody asks for them by the
// control socket.
void begin_in_child();

// Parks the cursors of all threads: each notes both clocks before its next event. In a thread that
// records nothing itself; not in two at once.
void park_cursors();

// Keeps the calling thread from recording, while it shares its memory with a child that goes by the
// thread's own state (vfork). unmute() takes what mute() has returned.
uintptr_t mute();
void unmute(uintptr_t state);
inline bool is_muted() {
    return writer_of(*fgraph::this_thread).muted != 0;
}
// A call that goes by meanwhile: counted when it is not the child's, but a signal handler's.
void count_muted();

// Claims `units` 8-byte units, or returns null.
inline format::Event* claim(EventWriter& writer, uint32_t units, size_t own_claims) {
    for (;;) {
        uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
        const uintptr_t used = at & kChunkMask;
        if (__builtin_expect(used == 0 || used + 8 * units > kChunkSize, 0)) {
            if (!take_chunk(writer, at, own_claims)) return nullptr;
            continue;
        }
        if (__builtin_expect(local_cas(&writer.cursor, at, at + 8 * units), 1))
            return reinterpret_cast<format::Event*>(at);
    }
}

inline void write_event(EventWriter& writer, uint32_t time, uint32_t word, size_t own_claims) {
    format::Event* event = claim(writer, 1, own_claims);
    if (__builtin_expect(event == nullptr, 0)) {
        count_loss(format::Loss::no_space);
        return;
    }
    event->time = time;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    event->word = word;
}

template <typename Payload>
inline constexpr uint32_t kUnitsWith = 1 + sizeof(Payload) / sizeof(format::Event);

// Writes a record with one 8- or 16-byte payload to units that are the caller's.
template <typename Payload>
void fill_record(format::Event* event, uint32_t time, format::RecordType type,
                 const Payload& payload) {
    constexpr uint32_t units = kUnitsWith<Payload>;
    event->word = format::record_word(type, units, format::Kind::unfinished);
    event->time = time;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    *reinterpret_cast<Payload*>(event + 1) = payload;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    event->word = format::record_word(type, units);
}

template <typename Payload>
void write_record(EventWriter& writer, uint32_t time, format::RecordType type,
                  const Payload& payload, size_t own_claims) {
    format::Event* event = claim(writer, kUnitsWith<Payload>, own_claims);
    if (event == nullptr) {
        count_loss(format::Loss::no_space);
        return;
    }
    fill_record(event, time, type, payload);
}

}  // namespace mipstrace::record
