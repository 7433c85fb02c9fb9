#include "lib/record/overhead.h"

#include <sys/mman.h>

#include "lib/base/arena.h"
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/patch/code_patcher.h"
#include "lib/record/event_writer.h"

extern "C" {
__attribute__((visibility("hidden"))) void measured_call();
__attribute__((visibility("hidden"))) void plain_call();
}

namespace mipstrace::record {

namespace {

constexpr unsigned kCalls = 64;  // of a round
constexpr unsigned kRounds = 4;  // the quickest counts: others were interrupted

using Function = void (*)();

bool put_in_page(uint32_t page) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(&measured_call);
    auto* lui = reinterpret_cast<volatile uint32_t*>(at);
    patch::WritableText text(PROT_READ | PROT_EXEC, at, at + sizeof *lui);
    if (text.ok()) text.write(lui, (*lui & 0xffff0000) | page >> 16);
    return text.ok();
}

uint64_t time_of(Function function) {
    const uint64_t start = mono_ns();
    for (unsigned i = 0; i < kCalls; i++)
        function();
    return mono_ns() - start;
}

uint64_t less(uint64_t a, uint64_t b) {
    return a < b ? 0 : a - b;
}

// Units of the clock that lie between the two events of all calls. False: they aren't all there.
bool add_up(const format::Event* event, const format::Event* end, uint64_t* inside) {
    if (end - event < ptrdiff_t(2 * kCalls)) return false;
    *inside = 0;
    for (; event + 1 < end; event += 2) {
        const bool is_call = format::kind_of(event[0].word) == format::Kind::enter &&
                             format::kind_of(event[1].word) == format::Kind::leave;
        if (!is_call) return false;  // a sync came in between
        *inside += uint32_t(event[1].time - event[0].time);
    }
    return true;
}

}  // namespace

bool measure_overhead(uint32_t page, format::ClockId clock, format::OverheadRecord* out) {
    BlockSignals quiet;
    fgraph::ThreadState* thread = fgraph::set_up_thread();
    if (thread == nullptr || !put_in_page(page)) return false;
    EventWriter& writer = writer_of(*thread);
    auto* memory = static_cast<char*>(map_pages(2 * kChunkSize));
    if (memory == nullptr || writer.cursor != 0) return false;
    const uintptr_t chunk = (reinterpret_cast<uintptr_t>(memory) + kChunkMask) & ~kChunkMask;
    const uintptr_t begin = chunk + sizeof(format::Event);
    writer.sync = uint32_t(mono_ns() >> 30);
    writer.muted = 1;  // no chunk is taken, whatever happens
    uint64_t best = UINT64_MAX, best_plain = UINT64_MAX, best_inside = 0, ticks = 0;
    for (unsigned round = 0; round <= kRounds; round++) {
        writer.cursor = begin;
        const uint32_t before = clock == format::ClockId::cycles ? read_cycles() : 0;
        const uint64_t time = time_of(measured_call);
        const uint32_t passed = clock == format::ClockId::cycles ? read_cycles() - before : 1;
        const uintptr_t end = writer.cursor;
        const uint64_t plain = time_of(plain_call);
        uint64_t inside;
        const bool is_whole = add_up(reinterpret_cast<const format::Event*>(begin),
                                     reinterpret_cast<const format::Event*>(end), &inside);
        // The first one also brings the code into the caches.
        if (round == 0 || !is_whole || passed == 0) continue;
        if (plain < best_plain) best_plain = plain;
        if (time >= best) continue;
        best = time;
        best_inside = inside;
        ticks = passed;
    }
    writer.cursor = 0;
    writer.sync = writer.muted = 0;
    unmap_pages(memory, 2 * kChunkSize);
    if (best == UINT64_MAX) return false;
    const uint64_t all_ps = less(best, best_plain) * 1000 / kCalls;
    const uint64_t inside_ns =
        clock == format::ClockId::cycles ? best_inside * best / ticks : best_inside;
    const uint64_t inside_ps = inside_ns * 1000 / kCalls;
    *out = {inside_ps < all_ps ? inside_ps : all_ps, less(all_ps, inside_ps)};
    return true;
}

}  // namespace mipstrace::record
