#include "lib/patch/site_table.h"

#include <string.h>

#include <algorithm>

#include "lib/base/arena.h"

namespace mipstrace::patch {

namespace {

constexpr size_t kModulesAtATime = 32;
constexpr uint64_t kPositionUnit = 0x10000;
constexpr uint64_t kPositionEnd = uint64_t(1) << 32;

uint64_t room_for(size_t text_size) {
    return (uint64_t(text_size) + kPositionUnit - 1) & ~(kPositionUnit - 1);
}

}  // namespace

// The record of the same file, unloaded meanwhile: what is known of the file stays.
Module* SiteTable::take_up(const Module& module) {
    for (size_t m = 0; m < size(); m++) {
        Module& old = *modules_[m];
        if (old.loaded || old.file != module.file || old.text_size != module.text_size) continue;
        old.load_bias = module.load_bias;
        old.text_start = module.text_start;
        old.text_protection = module.text_protection;
        old.sites = module.sites;
        old.site_count = module.site_count;
        old.site_room = module.site_room;
        memcpy(old.by_state, module.by_state, sizeof old.by_state);
        old.loaded = true;
        return &old;
    }
    return nullptr;
}

Module* SiteTable::add(const Module& module) {
    if (Module* old = take_up(module)) return old;
    if (modules_ == nullptr) modules_ = map_objects<Module*>(kMaxModules);
    const uint64_t size = room_for(module.text_size);
    if (modules_ == nullptr || next_position_ + size > kPositionEnd) return nullptr;
    if (spare_count_ == 0) {
        spare_ = map_objects<Module>(kModulesAtATime);
        if (spare_ == nullptr) return nullptr;
        spare_count_ = kModulesAtATime;
    }
    Module* added = spare_++;
    spare_count_--;
    *added = module;
    added->loaded = true;
    added->pos_base = uint32_t(next_position_);
    next_position_ += size;
    modules_[count_] = added;
    count_.store(count_ + 1, std::memory_order_release);
    return added;
}

void SiteTable::forget(Module& module) {
    module.loaded = false;
    unmap_pages(module.sites, module.site_room * sizeof(Site));
    module.sites = nullptr;
    module.site_count = 0;
    module.site_room = 0;
}

Site* SiteTable::find(Module& module, uint32_t offset, uint32_t slack) {
    Site* end = module.sites + module.site_count;
    Site* site = std::lower_bound(module.sites, end, offset,
                                  [](const Site& s, uint32_t wanted) { return s.offset < wanted; });
    return site != end && site->offset - offset <= slack ? site : nullptr;
}

}  // namespace mipstrace::patch
