#include "lib/mcount/frame_table.h"

#include <bit>

#include "lib/base/arena.h"

namespace mipstrace::mcount {

FrameTable* FrameTable::make(size_t calls) {
    const size_t count = std::bit_ceil(2 * calls);
    auto* table = static_cast<FrameTable*>(map_pages(bytes(count)));
    if (table != nullptr) table->mask = uint32_t(count - 1);
    return table;
}

void FrameTable::unmake(FrameTable* table) {
    if (table != nullptr) unmap_pages(table, bytes(size_t(table->mask) + 1));
}

void FrameTable::add(uint32_t link, const SiteFrame& frame) {
    uint32_t i = first_place(link);
    while (entries[i & mask].link != 0)
        i++;
    entries[i & mask] = {link, frame_word(frame)};
}

}  // namespace mipstrace::mcount
