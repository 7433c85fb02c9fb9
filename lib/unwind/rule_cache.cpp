#include "lib/unwind/rule_cache.h"

#include <atomic>

#include "lib/base/arena.h"

namespace mipstrace::unwind {

namespace {

// place: written last, taken first; kBusy while the others are written.
struct Entry {
    std::atomic<uintptr_t> place;
    std::atomic<uint32_t> size;    // / 4, | kByFp, kFpIsLost
    std::atomic<uint32_t> places;  // of $31 / 4, and of $30 / 4 in the upper half
};

constexpr uintptr_t kBusy = 1;
constexpr size_t kEntries = 4096;
constexpr uint32_t kByFp = 1u << 31;
constexpr uint32_t kFpIsLost = 1u << 30;
constexpr int32_t kLargest = (1 << 29) - 1;

Entry* entries;

// Without a product, which would change hi and lo.
Entry& entry_of(uintptr_t place) {
    return entries[(place >> 2 ^ place >> 14) % kEntries];
}

bool fits(const mips::FrameRule& rule) {
    return !rule.ra_in_register && rule.size % 4 == 0 && rule.size / 4 < kLargest &&
           rule.ra_below / 4 <= 0xffff && rule.fp_below % 4 == 0 &&
           (rule.fp_is_lost || rule.fp_below / 4 <= 0xffff);
}

}  // namespace

bool prepare_rule_cache() {
    if (entries == nullptr) entries = map_objects<Entry>(kEntries);
    return entries != nullptr;
}

void clear_rule_cache() {
    for (size_t i = 0; entries != nullptr && i < kEntries; i++)
        entries[i].place.store(0, std::memory_order_relaxed);
}

bool find_cached_rule(uintptr_t place, mips::FrameRule* rule) {
    if (entries == nullptr) return false;
    const Entry& entry = entry_of(place);
    if (entry.place.load(std::memory_order_acquire) != place) return false;
    const uint32_t size = entry.size.load(std::memory_order_relaxed);
    const uint32_t places = entry.places.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (entry.place.load(std::memory_order_relaxed) != place) return false;
    *rule = {};
    rule->by_fp = (size & kByFp) != 0;
    rule->fp_is_lost = (size & kFpIsLost) != 0;
    rule->size = int32_t(size & kLargest) * 4;
    rule->ra_below = int32_t(places & 0xffff) * 4;
    rule->fp_below = int32_t(places >> 16) * 4;
    return true;
}

void cache_rule(uintptr_t place, const mips::FrameRule& rule) {
    if (entries == nullptr || !fits(rule)) return;
    Entry& entry = entry_of(place);
    // Another thread, or who was interrupted here.
    if (entry.place.exchange(kBusy, std::memory_order_acq_rel) == kBusy) return;
    std::atomic_thread_fence(std::memory_order_release);
    const uint32_t fp_below = rule.fp_is_lost ? 0 : uint32_t(rule.fp_below) / 4;
    entry.size.store(
        uint32_t(rule.size) / 4 | (rule.by_fp ? kByFp : 0) | (rule.fp_is_lost ? kFpIsLost : 0),
        std::memory_order_relaxed);
    entry.places.store(uint32_t(rule.ra_below) / 4 | fp_below << 16, std::memory_order_relaxed);
    entry.place.store(place, std::memory_order_release);
}

}  // namespace mipstrace::unwind
