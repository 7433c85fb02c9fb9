// An array that is sorted by address, guarded by a sequence count: readers try again while a writer
// is at work, which runs with signals blocked, so a handler never waits for its own thread.
#include "lib/fgraph/coroutine_stacks.h"

#include <string.h>

#include <atomic>

#include "lib/base/arena.h"
#include "lib/base/block_signals.h"

namespace mipstrace::fgraph {

namespace {

std::atomic<uint32_t> sequence;  // odd while a writer is at work
CoroutineStack* stacks;          // arrays that were outgrown stay mapped: somebody may be reading
size_t count;
size_t room;

// The first one that ends above `address`.
size_t first_above(const CoroutineStack* list, size_t size, uintptr_t address) {
    size_t low = 0;
    while (low < size) {
        const size_t middle = low + (size - low) / 2;
        if (list[middle].bounds.high <= address)
            low = middle + 1;
        else
            size = middle;
    }
    return low;
}

// `read` gets the array and its size, which may be halfway changed; then its result is not used.
template <typename Read>
auto read_consistently(Read&& read) {
    for (;;) {
        const uint32_t before = sequence.load(std::memory_order_acquire);
        const auto result = read(__atomic_load_n(&stacks, __ATOMIC_RELAXED),
                                 __atomic_load_n(&count, __ATOMIC_RELAXED));
        std::atomic_thread_fence(std::memory_order_acquire);
        if ((before & 1) == 0 && sequence.load(std::memory_order_relaxed) == before) return result;
    }
}

bool make_room() {
    if (count < room) return true;
    const size_t wanted = room == 0 ? 128 : 2 * room;
    auto* larger = map_objects<CoroutineStack>(wanted);
    if (larger == nullptr) return false;
    if (count != 0) memcpy(larger, stacks, count * sizeof *larger);
    __atomic_store_n(&stacks, larger, __ATOMIC_RELEASE);
    room = wanted;
    return true;
}

}  // namespace

CoroutineStack find_coroutine_stack(uintptr_t sp) {
    return read_consistently([sp](const CoroutineStack* list, size_t size) {
        const size_t i = first_above(list, size, sp - 1);
        return i < size && list[i].bounds.holds_sp(sp) ? list[i] : CoroutineStack{};
    });
}

uintptr_t end_of_coroutine_stack_below(uintptr_t sp) {
    return read_consistently([sp](const CoroutineStack* list, size_t size) {
        const size_t i = first_above(list, size, sp);
        return i == 0 ? uintptr_t(0) : list[i - 1].bounds.high;
    });
}

void add_coroutine_stack(const CoroutineStack& stack) {
    BlockSignals quiet;
    for (;;) {
        uint32_t now = sequence.load(std::memory_order_relaxed);
        if ((now & 1) == 0 && sequence.compare_exchange_weak(now, now + 1)) break;
        raw_syscall(SYS_sched_yield);
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (make_room()) {
        const size_t first = first_above(stacks, count, stack.bounds.low);
        size_t behind = first;
        while (behind < count && stacks[behind].bounds.low < stack.bounds.high)
            behind++;
        memmove(stacks + first + 1, stacks + behind, (count - behind) * sizeof *stacks);
        stacks[first] = stack;
        count = count - (behind - first) + 1;
    }
    sequence.fetch_add(1, std::memory_order_release);
}

void settle_coroutine_stacks_after_fork() {
    const uint32_t now = sequence.load(std::memory_order_relaxed);
    if ((now & 1) == 0) return;
    count = 0;
    sequence.store(now + 1, std::memory_order_release);
}

}  // namespace mipstrace::fgraph
