// From positions to small numbers: open addressing, sized by what is put in. Made for one look-up
// in every event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mipstrace::tools {

class PositionMap {
  public:
    static constexpr uint32_t kNone = ~uint32_t(0);

    PositionMap() : slots_(64) {}

    // The number of `position`, or kNone.
    uint32_t find(uint32_t position) const {
        for (size_t i = hash(position);; i++) {
            const Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.number == kNone || slot.position == position) return slot.number;
        }
    }
    // `position` must not be in the map.
    void insert(uint32_t position, uint32_t number) {
        if (++used_ * 2 > slots_.size()) grow();
        place({position, number});
    }

  private:
    struct Slot {
        uint32_t position = 0;
        uint32_t number = kNone;
    };

    // Fibonacci hashing: neighbouring functions spread over the table.
    size_t hash(uint32_t position) const { return size_t((position * 0x9e3779b97f4a7c15u) >> 32); }
    void place(Slot slot) {
        size_t i = hash(slot.position);
        while (slots_[i & (slots_.size() - 1)].number != kNone)
            i++;
        slots_[i & (slots_.size() - 1)] = slot;
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.number != kNone) place(slot);
    }

    std::vector<Slot> slots_;  // a power of two of them
    size_t used_ = 0;
};

}  // namespace mipstrace::tools
