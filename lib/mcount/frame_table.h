// The frames of a module's calls of _mcount, found by the address behind a call's sled. Built when
// the module is loaded; then read on the path of each call, by trampolines too.
//
//   word of an entry   31 .. 8                        7 .. 0
//                      size of the frame, in 8 bytes  place of the return address below its top, in
//                                                     4 bytes; 0: in $31
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/mcount/call_site.h"

namespace mipstrace::mcount {

// A frame that is not known.
inline constexpr uint32_t kNoFrame = UINT32_MAX;

constexpr uint32_t frame_word(const SiteFrame& frame) {
    return frame.is_known ? frame.size / 8 << 8 | frame.ra_below / 4 : kNoFrame;
}
constexpr uint32_t frame_size(uint32_t word) {
    return word >> 8 << 3;
}
constexpr uint32_t ra_below(uint32_t word) {
    return (word & 0xff) << 2;
}

// Lives in a mapping of its own, of bytes() bytes. Linear probing; at least half of it is free.
struct FrameTable {
    struct Entry {
        uint32_t link;  // the low half of the address behind the sled; 0: a free entry
        uint32_t word;
    };

    // With room for so many calls, or null: no memory.
    static FrameTable* make(size_t calls);
    static void unmake(FrameTable* table);

    void add(uint32_t link, const SiteFrame& frame);
    // kNoFrame for a call that was not added, too. Any context.
    uint32_t word_at(uint32_t link) const {
        for (uint32_t i = first_place(link);; i++) {
            const Entry& entry = entries[i & mask];
            if (entry.link == link) return entry.word;
            if (entry.link == 0) return kNoFrame;
        }
    }

    uint32_t mask;  // the number of entries, which is a power of two, minus 1
    uint32_t reserved;
    Entry entries[];

  private:
    // Functions may begin at multiples of the same power of two.
    static constexpr uint32_t first_place(uint32_t link) { return link >> 2 ^ link >> 8; }
    static size_t bytes(size_t entries) { return sizeof(FrameTable) + entries * sizeof(Entry); }
};

}  // namespace mipstrace::mcount
