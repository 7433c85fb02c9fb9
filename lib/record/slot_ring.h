// Which chunks of a bounded file are written to, and which may be written again: one word a slot.
//
//   0               not handed out yet
//   owner | kHeld   a thread has it mapped
//   stamp           given back; the smaller the stamp, the older its events
//
// A slot changes hands by a compare-and-swap of its word, which a thread that stops anywhere can at
// most keep one slot from coming back by. Any thread, any signal handler.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mipstrace::record {

class SlotRing {
  public:
    static constexpr uint32_t kNone = 0;
    static constexpr uint32_t kForever = 0x7fffffff;  // an owner who gives nothing back

    // Slots 1 to `count`. Once, before any use. False: no memory.
    bool init(uint32_t count);
    uint32_t count() const { return count_; }
    // As after init. While no other thread uses it.
    void reset();

    // A slot that was not handed out yet now belongs to `owner` (a tid, or kForever).
    void hand_out(uint32_t slot, uint32_t owner);
    // Takes the slot that was given back the longest ago; kNone if there is none.
    uint32_t take_oldest(uint32_t owner);
    bool has_free() const { return free_.load(std::memory_order_relaxed) != 0; }

    // No-op if `owner` does not hold it, or there is no such slot.
    void give_back(uint32_t slot, uint32_t owner);
    // What `owner` holds beside these two.
    void give_back_others(uint32_t owner, uint32_t keep, uint32_t keep_too);
    // What owners hold of whom `is_gone` says true.
    template <typename IsGone>
    void give_back_of(IsGone&& is_gone);

  private:
    static constexpr uint32_t kHeld = 0x80000000;

    bool is_free(uint32_t word) const { return word != 0 && (word & kHeld) == 0; }
    void free_held(uint32_t slot, uint32_t word);

    std::atomic<uint32_t>* words_ = nullptr;
    uint32_t count_ = 0;
    std::atomic<uint32_t> stamp_{0};
    std::atomic<int32_t> free_{0};
};

template <typename IsGone>
void SlotRing::give_back_of(IsGone&& is_gone) {
    for (uint32_t slot = 1; slot <= count_; slot++) {
        const uint32_t word = words_[slot].load(std::memory_order_relaxed);
        const uint32_t owner = word & ~kHeld;
        if ((word & kHeld) != 0 && owner != kForever && is_gone(owner)) free_held(slot, word);
    }
}

}  // namespace mipstrace::record
