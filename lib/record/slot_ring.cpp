#include "lib/record/slot_ring.h"

#include "lib/base/arena.h"

namespace mipstrace::record {

namespace {

constexpr int kTries = 4;

// Stamps have 31 bits and wrap: the one that is less than half of that behind the other is older.
bool is_older(uint32_t a, uint32_t b) {
    return int32_t((a - b) << 1) < 0;
}

}  // namespace

bool SlotRing::init(uint32_t count) {
    words_ = map_objects<std::atomic<uint32_t>>(size_t(count) + 1);
    if (words_ == nullptr) return false;
    count_ = count;
    return true;
}

void SlotRing::reset() {
    for (uint32_t slot = 1; slot <= count_; slot++)
        words_[slot].store(0, std::memory_order_relaxed);
    stamp_ = 0;
    free_ = 0;
}

void SlotRing::hand_out(uint32_t slot, uint32_t owner) {
    words_[slot].store(owner | kHeld, std::memory_order_relaxed);
}

uint32_t SlotRing::take_oldest(uint32_t owner) {
    for (int tries = 0; tries < kTries;) {
        uint32_t oldest = kNone;
        uint32_t stamp = 0;
        for (uint32_t slot = 1; slot <= count_; slot++) {
            const uint32_t word = words_[slot].load(std::memory_order_relaxed);
            if (!is_free(word) || (oldest != kNone && !is_older(word, stamp))) continue;
            oldest = slot;
            stamp = word;
        }
        if (oldest == kNone) {
            // What moved behind the place where we were may have been missed.
            if (!has_free()) break;
            tries++;
            continue;
        }
        // The last owner's stores into the chunk come before ours.
        if (words_[oldest].compare_exchange_strong(stamp, owner | kHeld,
                                                   std::memory_order_acquire)) {
            free_.fetch_sub(1, std::memory_order_relaxed);
            return oldest;
        }
    }
    return kNone;
}

void SlotRing::free_held(uint32_t slot, uint32_t word) {
    uint32_t stamp;
    do {
        stamp = stamp_.fetch_add(1, std::memory_order_relaxed) & ~kHeld;
    } while (stamp == 0);
    // Counted first, so that the count is never less than what can be taken.
    free_.fetch_add(1, std::memory_order_relaxed);
    if (!words_[slot].compare_exchange_strong(word, stamp, std::memory_order_release))
        free_.fetch_sub(1, std::memory_order_relaxed);
}

void SlotRing::give_back(uint32_t slot, uint32_t owner) {
    if (slot != kNone && slot <= count_ &&
        words_[slot].load(std::memory_order_relaxed) == (owner | kHeld))
        free_held(slot, owner | kHeld);
}

void SlotRing::give_back_others(uint32_t owner, uint32_t keep, uint32_t keep_too) {
    for (uint32_t slot = 1; slot <= count_; slot++)
        if (slot != keep && slot != keep_too) give_back(slot, owner);
}

}  // namespace mipstrace::record
