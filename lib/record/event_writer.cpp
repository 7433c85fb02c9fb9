#include "lib/record/event_writer.h"

#include <sys/mman.h>

#include "lib/base/clock.h"
#include "lib/base/syscall.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::record {

TraceFile trace_file;

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

void begin_chunk(format::ChunkHeader& header, uint32_t sequence, uint64_t now) {
    header.tid = uint32_t(raw_syscall(SYS_gettid));
    header.sequence = sequence;
    header.depth = uint32_t(fgraph::this_thread->stack.count_taken());
    header.mono_ns = now;
#ifdef __mips__
    header.cycles = read_cycles();
#endif
    std::atomic_signal_fence(std::memory_order_seq_cst);
    header.magic = format::kChunkMagic;
}

}  // namespace

bool take_chunk(EventWriter& writer, size_t own_claims) {
    KeepHiLo keep;  // system calls change them
    if (!trace_file.ensure_open()) return false;
    uintptr_t full = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
    if (trace_file.is_full()) return false;
    char* windows = writer.windows;
    uint32_t window = writer.window ^ 1;
    // What an interrupted writer still writes to must stay mapped; its windows are given up.
    const bool fresh =
        windows == nullptr || fgraph::this_thread->stack.count_claimed() > own_claims;
    if (fresh) {
        windows = map_windows();
        if (windows == nullptr) return false;
        window = 0;
    }
    auto* header = reinterpret_cast<format::ChunkHeader*>(windows + window * size_t(kChunkSize));
    if (!trace_file.map_chunk(header)) {
        if (fresh) raw_syscall(SYS_munmap, windows, size_t(2 * kChunkSize));
        return false;
    }
    const uint64_t now = mono_ns();
    begin_chunk(*header, __atomic_fetch_add(&writer.sequence, 1, __ATOMIC_RELAXED), now);
    writer.sync = uint32_t(now >> 30);
    // A handler that came in between has already taken a chunk: ours stays empty.
    const uintptr_t first = reinterpret_cast<uintptr_t>(header + 1);
    if (__atomic_compare_exchange_n(&writer.cursor, &full, first, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
        writer.windows = windows;
        writer.window = window;
        writer.chunk = header;
    }
    return true;
}

void count_loss(format::Loss cause, uint32_t count) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (writer.chunk != nullptr)
        __atomic_fetch_add(&writer.chunk->lost[size_t(cause)], count, __ATOMIC_RELAXED);
    else
        trace_file.count_loss(cause, count);
}

void close_writer() {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (writer.windows != nullptr)
        raw_syscall(SYS_munmap, static_cast<char*>(writer.windows), size_t(2 * kChunkSize));
    writer = {};
}

void reset_writer() {
    // The windows were not inherited; their addresses may be anything's by now.
    if (fgraph::this_thread->stack.base != nullptr) writer_of(*fgraph::this_thread) = {};
}

}  // namespace mipstrace::record
