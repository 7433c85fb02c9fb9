// What is known of some functions, found by their positions in any context.
//
//   newest -> table of a module, as it was looked up last -> ... -> null
//             entries, by position
//
// Tables are added with the registry locked; one that is there never changes and never goes.
#pragma once

#include <atomic>

#include "lib/base/arena.h"
#include "lib/patch/site_table.h"

namespace mipstrace::record {

// Entry: zeros are an empty one; has `uint32_t position`.
template <typename Entry>
class FunctionTable {
  public:
    // True if the module was looked up since `revision`.
    bool has(const patch::Module& module, uint32_t revision) const {
        for (const Table* t = newest_; t != nullptr; t = t->next)
            if (t->pos_base == module.pos_base) return t->revision == revision;
        return false;
    }

    // `fill(Entry*)` gets an empty entry for each site of the module, of which those stay that
    // `keeps(entry)`. False: no memory.
    template <typename Fill, typename Keeps>
    bool add(patch::Module& module, uint32_t revision, Fill&& fill, Keeps&& keeps) {
        auto* table = map_objects<Table>(1);
        auto* entries = map_objects<Entry>(module.site_count);
        if (table == nullptr || entries == nullptr) return false;
        fill(entries);
        uint32_t kept = 0;
        for (size_t i = 0; i < module.site_count; i++) {
            entries[i].position = module.pos_base + module.sites[i].offset;
            if (keeps(entries[i])) entries[kept++] = entries[i];
        }
        *table = {newest_, module.pos_base, revision, kept, entries};
        // The pages behind them were touched by none but those that are gone.
        if (kept == 0) {
            unmap_pages(entries, module.site_count * sizeof(Entry));
            table->entries = nullptr;
        } else {
            has_any_ = true;
        }
        newest_.store(table, std::memory_order_release);
        return true;
    }

    // Null: nothing is known of that function.
    const Entry* find(uint32_t position) const {
        if (__builtin_expect(!has_any_.load(std::memory_order_relaxed), 1)) return nullptr;
        return search(position);
    }

  private:
    struct Table {
        Table* next;
        uint32_t pos_base;
        uint32_t revision;
        uint32_t count;
        Entry* entries;
    };

    [[gnu::noinline]] const Entry* search(uint32_t position) const {
        for (const Table* t = newest_.load(std::memory_order_acquire); t != nullptr; t = t->next) {
            const Entry* begin = t->entries;
            uint32_t count = t->count;
            while (count != 0) {
                const uint32_t half = count / 2;
                if (begin[half].position == position) return &begin[half];
                if (begin[half].position < position) {
                    begin += half + 1;
                    count -= half + 1;
                } else {
                    count = half;
                }
            }
        }
        return nullptr;
    }

    std::atomic<Table*> newest_{nullptr};
    std::atomic<bool> has_any_{false};
};

}  // namespace mipstrace::record
