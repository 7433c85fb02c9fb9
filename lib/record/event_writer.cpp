#include "lib/record/event_writer.h"

#include <sys/mman.h>

#include <algorithm>

#include "lib/base/arena.h"
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/syscall.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::record {

TraceFile trace_file;
void (*on_clocks_noted)();

namespace {

// Two windows, aligned to the size of a chunk.
char* map_windows() {
    constexpr size_t kSize = 2 * kChunkSize;
    long at = raw_syscall(SYS_mmap, nullptr, kSize + kChunkSize, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (is_error(at)) return nullptr;
    const uintptr_t start = uintptr_t(at);
    const uintptr_t aligned = (start + kChunkMask) & ~kChunkMask;
    if (aligned != start) raw_syscall(SYS_munmap, start, aligned - start);
    const uintptr_t end = start + kSize + kChunkSize;
    if (end != aligned + kSize) raw_syscall(SYS_munmap, aligned + kSize, end - aligned - kSize);
    return reinterpret_cast<char*>(aligned);
}

void unmap_windows(char* windows) {
    raw_syscall(SYS_munmap, windows, size_t(2 * kChunkSize));
}

// Calls `visit` for the windows and those that were given up.
template <typename Visit>
void for_all_windows(const EventWriter& writer, Visit&& visit) {
    if (writer.windows != nullptr) visit(writer.windows);
    if (writer.given_up == nullptr) return;
    for (size_t i = 0; i < writer.given_up->count; i++)
        visit(writer.given_up->windows[i]);
}

// Leaves the windows to the writer that was interrupted. False: there are too many such already, or
// no memory.
bool give_up_windows(EventWriter& writer) {
    if (writer.given_up == nullptr) writer.given_up = map_objects<GivenUpWindows>(1);
    GivenUpWindows* const list = writer.given_up;
    if (list == nullptr || list->count == GivenUpWindows::kMost) return false;
    list->windows[list->count++] = writer.windows;
    writer.windows = nullptr;
    writer.chunk = nullptr;
    writer.mapped[0] = writer.mapped[1] = 0;
    return true;
}

// Nobody was interrupted.
void release_given_up(EventWriter& writer) {
    GivenUpWindows* const list = writer.given_up;
    if (list == nullptr) return;
    for (size_t i = 0; i < list->count; i++)
        unmap_windows(list->windows[i]);
    trace_file.give_back_others(writer.tid, writer.mapped[0], writer.mapped[1]);
    unmap_pages(list, sizeof *list);
    writer.given_up = nullptr;
}

// What an interrupted writer still writes to, in a process that has no right to its file any more.
void make_private(char* windows) {
    raw_syscall(SYS_mmap, windows, size_t(2 * kChunkSize), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

// The thread was there when its process was forked, or is new.
void begin_in_file(EventWriter& writer, size_t own_claims) {
    for_all_windows(writer, make_private);
    const bool is_interrupted = fgraph::this_thread->stack.count_claimed() > own_claims;
    if (writer.windows != nullptr && is_interrupted && !give_up_windows(writer))
        writer.windows = nullptr;
    writer.cursor = 0;
    writer.muted = 0;
    writer.chunk = nullptr;
    writer.sequence = 0;
    writer.tid = writer.number = writer.mapped[0] = writer.mapped[1] = 0;
    writer.generation = trace_file.generation();
}

bool is_in_file(const EventWriter& writer) {
    return writer.generation == trace_file.generation();
}

void add_loss(EventWriter& writer, format::Loss cause, uint32_t count) {
    if (writer.chunk != nullptr && is_in_file(writer))
        __atomic_fetch_add(&writer.chunk->lost[size_t(cause)], count, __ATOMIC_RELAXED);
    else
        trace_file.count_loss(cause, count);
}

bool counts_cycles() {
    return trace_file.header().clock == uint8_t(format::ClockId::cycles);
}

uint32_t cycles_now() {
#ifdef __mips__
    return read_cycles();
#else
    return 0;
#endif
}

// A full chunk's cursor may stand at the begin of the other window.
bool is_parked(const EventWriter& writer) {
    const uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_ACQUIRE);
    return at != 0 && at == reinterpret_cast<uintptr_t>(writer.chunk);
}

// Bytes of the chunk that were handed out, 0: all.
uint32_t used_of(const EventWriter& writer) {
    return (is_parked(writer) ? writer.parked : writer.cursor) & kChunkMask;
}

void set_cursor(EventWriter& writer, const format::Event* at) {
    __atomic_store_n(&writer.cursor, reinterpret_cast<uintptr_t>(at), __ATOMIC_RELAXED);
    if (on_clocks_noted != nullptr && counts_cycles()) on_clocks_noted();
}

// Goes on in the chunk where the cursor was parked, with a sync record. False: it is full.
bool go_on_with_sync(EventWriter& writer) {
    constexpr uint32_t kUnits = kUnitsWith<format::Sync>;
    BlockSignals quiet;
    if (!is_parked(writer)) return true;  // a handler did so
    if (used_of(writer) + kUnits * sizeof(format::Event) > kChunkSize) return false;
    auto* const at = reinterpret_cast<format::Event*>(writer.parked);
    const uint64_t now = mono_ns();
    const uint32_t cycles = counts_cycles() ? cycles_now() : 0;
    fill_record(at, counts_cycles() ? cycles : uint32_t(now), format::RecordType::sync,
                format::Sync{now, cycles, 0});
    writer.sync = uint32_t(now >> 30);
    set_cursor(writer, at + kUnits);
    return true;
}

void begin_chunk(EventWriter& writer, format::ChunkHeader& header, uint64_t now) {
    if (writer.number == 0)
        writer.number = __atomic_add_fetch(&trace_file.header().threads, 1, __ATOMIC_RELAXED);
    header.tid = writer.tid;
    header.thread = writer.number;
    header.sequence = writer.sequence++;
    header.depth = uint32_t(fgraph::this_thread->stack.count_taken(fgraph::kRecorderAlone));
    header.mono_ns = now;
    if (counts_cycles()) header.cycles = cycles_now();
    __atomic_thread_fence(__ATOMIC_RELEASE);
    header.magic = format::kChunkMagic;
}

// What was called before this chunk and goes on; its entries may be overwritten, or are in the file
// of the process that forked this one. Returns where the next event goes.
format::Event* write_open_calls(format::Event* at, uint64_t now) {
    auto* positions = reinterpret_cast<uint32_t*>(at + 1);
    const size_t count = fgraph::this_thread->stack.innermost_taken(
        fgraph::kRecorderAlone, positions, format::kMaxOpenCalls);
    if (count == 0) return at;
    const uint32_t units = 1 + uint32_t(count + 1) / 2;
    at->time = uint32_t(now);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    at->word = format::record_word(format::RecordType::open, units);
    return at + units;
}

// True if a slot in the chunk at `window`, which `used` bytes of were handed out, is not written
// yet: by a writer that was interrupted, or that a handler has jumped out of.
bool has_unwritten(const char* window, uint32_t used) {
    for (uint32_t at = sizeof(format::ChunkHeader); at < used;) {
        const uint32_t word = reinterpret_cast<const format::Event*>(window + at)->word;
        const format::Kind kind = format::kind_of(word);
        if (word == 0 || kind == format::Kind::unfinished) return true;
        at += kind == format::Kind::record ? 8 * std::max(format::units_of(word), 1u) : 8;
    }
    return false;
}

// Makes room for one more window. Null: there is no memory.
char* next_window(EventWriter& writer, bool is_interrupted) {
    if (!is_interrupted) release_given_up(writer);
    const auto window = [&writer](uint32_t i) { return writer.windows + i * size_t(kChunkSize); };
    uint32_t next = writer.window ^ 1;
    if (is_interrupted && writer.mapped[next] != 0 &&
        has_unwritten(window(next), writer.used_before) && !give_up_windows(writer))
        return nullptr;
    if (writer.windows == nullptr) {
        writer.windows = map_windows();
        if (writer.windows == nullptr) return nullptr;
        writer.window = 1;
        next = 0;
    }
    trace_file.give_back(writer.mapped[next], writer.tid);
    writer.mapped[next] = 0;
    return window(next);
}

}  // namespace

bool take_chunk(EventWriter& writer, uintptr_t full, size_t own_claims) {
    KeepHiLo keep;  // system calls change them
    if (writer.muted != 0 || !trace_file.ensure_open()) return false;
    if (is_in_file(writer) && is_parked(writer) && go_on_with_sync(writer)) return true;
    const bool can_stay =
        is_in_file(writer) && trace_file.reuses_chunks() && writer.mapped[writer.window] != 0;
    if (!can_stay && !trace_file.has_room()) {
        // What is shorter may fit where this did not, and would be recorded without what it is in.
        if (trace_file.has_ended()) local_cas(&writer.cursor, full, 0);
        return false;
    }
    // A handler might fork, and the child go on in here with what is the parent's.
    BlockSignals quiet;
    if (writer.cursor != full) return true;
    if (!is_in_file(writer)) begin_in_file(writer, own_claims);
    if (writer.tid == 0) writer.tid = uint32_t(raw_syscall(SYS_gettid));
    const bool is_interrupted = fgraph::this_thread->stack.count_claimed() > own_claims;
    char* window = next_window(writer, is_interrupted);
    if (window == nullptr) return false;
    const uint32_t chunk = trace_file.map_chunk(window, writer.tid);
    if (chunk != 0) {
        const uint32_t used = used_of(writer);
        writer.used_before = used != 0 ? used : kChunkSize;
        writer.window ^= 1;
        writer.mapped[writer.window] = chunk;
        writer.chunk = reinterpret_cast<format::ChunkHeader*>(window);
    } else if (can_stay && !is_interrupted) {
        // The other threads have all chunks: the newest events are worth more than our oldest.
        trace_file.clear_chunk(writer.chunk);
    } else {
        return false;
    }
    const uint64_t now = mono_ns();
    begin_chunk(writer, *writer.chunk, now);
    writer.sync = uint32_t(now >> 30);
    auto* first = reinterpret_cast<format::Event*>(writer.chunk + 1);
    if (trace_file.reuses_chunks() || writer.chunk->sequence == 0)
        first = write_open_calls(first, now);
    set_cursor(writer, first);
    return true;
}

void count_loss(format::Loss cause, uint32_t count) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (writer.muted != 0 || trace_file.is_parents()) return;
    add_loss(writer, cause, count);
}

void close_writer() {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    // A buffer's chunks are written again as a whole. Threads that end early are many.
    const uint32_t used = used_of(writer);
    if (used != 0 && !trace_file.reuses_chunks())
        trace_file.free_rest(writer.mapped[writer.window], used);
    if (writer.windows != nullptr) unmap_windows(writer.windows);
    for (uint32_t& chunk : writer.mapped) {
        trace_file.give_back(chunk, writer.tid);
        chunk = 0;
    }
    release_given_up(writer);
    writer = {};
}

void begin_in_child() {
    BlockSignals quiet;
    fgraph::for_each_thread(
        [](fgraph::ThreadState& thread, void*) {
            if (&thread != fgraph::this_thread) for_all_windows(writer_of(thread), unmap_windows);
        },
        nullptr);
    fgraph::forget_other_threads();
    EventWriter& writer = writer_of(*fgraph::this_thread);
    const uint32_t thread = writer.chunk != nullptr && is_in_file(writer) ? writer.chunk->tid : 0;
    const bool needs_file = trace_file.leave_to_parent(thread);
    // There is no new generation for `no_thread`: it has nothing.
    if (fgraph::this_thread->stack.base != nullptr) begin_in_file(writer, 0);
    if (needs_file) trace_file.ensure_open();
}

void park_cursors() {
    fgraph::for_each_thread(
        [](fgraph::ThreadState& thread, void*) {
            EventWriter& writer = writer_of(thread);
            uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
            do {
                if ((at & kChunkMask) == 0) return;  // full, parked, or there is none
                __atomic_store_n(&writer.parked, at, __ATOMIC_RELAXED);
            } while (!__atomic_compare_exchange_n(&writer.cursor, &at, at & ~kChunkMask, false,
                                                  __ATOMIC_RELEASE, __ATOMIC_RELAXED));
        },
        nullptr);
}

uintptr_t mute() {
    if (fgraph::this_thread->stack.base == nullptr && fgraph::set_up_thread() == nullptr) return 0;
    EventWriter& writer = writer_of(*fgraph::this_thread);
    const uintptr_t was_muted = writer.muted;
    writer.muted = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return __atomic_exchange_n(&writer.cursor, 0, __ATOMIC_RELAXED) | was_muted;
}

void count_muted() {
    KeepHiLo keep;
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (trace_file.is_parents() || uint32_t(raw_syscall(SYS_getpid)) != trace_file.pid()) return;
    add_loss(writer, format::Loss::recursion, 1);
}

void unmute(uintptr_t state) {
    if (fgraph::this_thread->stack.base == nullptr || (state & 1) != 0) return;
    EventWriter& writer = writer_of(*fgraph::this_thread);
    writer.cursor = state;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    writer.muted = 0;
}

}  // namespace mipstrace::record
