#include "lib/record/stack_writer.h"

#include "lib/base/clock.h"
#include "lib/unwind/stack_walk.h"

namespace mipstrace::record {

using format::Kind;
using format::RecordType;
using format::StackHeader;

static_assert(unwind::kInterrupted == format::kInterrupted);
static_assert(unwind::kOpenCall == format::kOpenCall);

namespace {

uint32_t most_callers = format::kUsualInStack;

// The record's own, the header, and what tells its size from behind.
constexpr uint32_t kUnitsBeside = 3;

struct Tail {
    uint32_t zero;
    uint32_t units;
};

void put_caller(unsigned index, uintptr_t address, void* to) {
    static_cast<uint64_t*>(to)[index] = address;
}

// Gives back what was claimed for more; if a handler has written behind it meanwhile, the rest
// stays as it is, unwritten.
void shorten(EventWriter& writer, const format::Event* claimed, const format::Event* used) {
    auto at = reinterpret_cast<uintptr_t>(claimed);
    __atomic_compare_exchange_n(&writer.cursor, &at, reinterpret_cast<uintptr_t>(used), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

}  // namespace

void set_stack_depth(uint32_t most) {
    most_callers = most;
}

void write_stack(EventWriter& writer, const fgraph::Frame& frame, const ftrace_regs& regs,
                 size_t own_claims) {
    KeepHiLo keep;
    const uint32_t room = kUnitsBeside + most_callers;
    format::Event* const first = claim(writer, room, own_claims);
    if (first == nullptr) return count_loss(format::Loss::no_space);
    first->word = format::record_word(RecordType::stack, room, Kind::unfinished);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const unwind::Walk walk = unwind::walk_stack(frame, regs, most_callers, put_caller, first + 2);
    const uint32_t units = kUnitsBeside + walk.count;
    *reinterpret_cast<StackHeader*>(first + 1) = {frame.call.position, uint16_t(walk.count),
                                                  walk.is_cut ? format::kStackCut : uint16_t(0)};
    *reinterpret_cast<Tail*>(first + units - 1) = {0, units};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    first->word = format::record_word(RecordType::stack, units);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (units != room) shorten(writer, first + room, first + units);
}

void take_back_stack(EventWriter& writer, uint32_t position) {
    uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
    const uint32_t used = at & kChunkMask;
    if (used < sizeof(format::ChunkHeader) + kUnitsBeside * sizeof(format::Event)) return;
    const Tail tail = reinterpret_cast<const Tail*>(at)[-1];
    if (tail.zero != 0 || tail.units < kUnitsBeside ||
        tail.units > (used - sizeof(format::ChunkHeader)) / sizeof(format::Event))
        return;
    auto* const first = reinterpret_cast<format::Event*>(at) - tail.units;
    if (first->word != format::record_word(RecordType::stack, tail.units) ||
        reinterpret_cast<const StackHeader*>(first + 1)->position != position)
        return;
    first->word = format::record_word(RecordType::stack, tail.units, Kind::unfinished);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    for (uint32_t i = 1; i < tail.units; i++)
        first[i] = {};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    first[0] = {};
    shorten(writer, reinterpret_cast<format::Event*>(at), first);
}

}  // namespace mipstrace::record
