#include "lib/patch/site_table.h"

#include <string.h>

#include <algorithm>

#include "lib/base/arena.h"

namespace mipstrace::patch {

namespace {

constexpr size_t kModulesAtATime = 32;
constexpr uint64_t kFirstPosition = 0x10000;  // of those that are made up
constexpr uint64_t kPositionEnd = uint64_t(1) << 32;

uint64_t end_of_positions(const Module& module) {
    return (module.pos_base + uint64_t(module.text_size) + 3) & ~uint64_t(3);
}

}  // namespace

bool Module::has_cpload(const Site& site) const {
#if defined(__mips__) && _MIPS_SIM == _ABIO32
    if (site.kind != SiteKind::sled || site.offset < mips::kCploadBytes) return false;
    const volatile uint32_t* before = words(site) - mips::kCploadWords;
    return mips::is_cpload(before[0], before[1], before[2]);
#else
    return site.kind == SiteKind::sled && false;
#endif
}

// The record of the same file, unloaded meanwhile: what is known of the file stays.
Module* SiteTable::take_up(const Module& module) {
    for (size_t m = 0; m < size(); m++) {
        Module& old = *modules_[m];
        if (old.loaded || old.file != module.file || old.text_size != module.text_size) continue;
        old.load_bias = module.load_bias;
        old.text_start = module.text_start;
        old.text_protection = module.text_protection;
        old.frames = module.frames;
        old.sites = module.sites;
        old.site_count = module.site_count;
        old.site_room = module.site_room;
        memcpy(old.by_state, module.by_state, sizeof old.by_state);
        old.loaded = true;
        return &old;
    }
    return nullptr;
}

bool SiteTable::is_free(uint64_t position, uint64_t size) const {
    if (position == 0 || position + size > kPositionEnd) return false;
    for (size_t m = 0; m < size_t(count_); m++) {
        const Module& other = *modules_[m];
        if (position < end_of_positions(other) && other.pos_base < position + size) return false;
    }
    return true;
}

// The low half of the address behind a sled, where nobody has it: then positions cost nothing to
// make. Else the first room behind another module. 0: there is none.
uint32_t SiteTable::choose_position(const Module& module) const {
    const uint64_t size = module.text_size;
    const uint32_t wanted = uint32_t(module.text_start + mips::kSledBytes);
    if (is_free(wanted, size)) return wanted;
    if (is_free(kFirstPosition, size)) return uint32_t(kFirstPosition);
    for (size_t m = 0; m < size_t(count_); m++) {
        const uint64_t behind = end_of_positions(*modules_[m]);
        if (is_free(behind, size)) return uint32_t(behind);
    }
    return 0;
}

Module* SiteTable::add(const Module& module) {
    if (Module* old = take_up(module)) return old;
    if (modules_ == nullptr) modules_ = map_objects<Module*>(kMaxModules);
    const uint32_t position = modules_ != nullptr ? choose_position(module) : 0;
    if (position == 0 || count_ == kMaxModules) return nullptr;
    if (spare_count_ == 0) {
        spare_ = map_objects<Module>(kModulesAtATime);
        if (spare_ == nullptr) return nullptr;
        spare_count_ = kModulesAtATime;
    }
    Module* added = spare_++;
    spare_count_--;
    *added = module;
    added->loaded = true;
    added->pos_base = position;
    modules_[count_] = added;
    count_.store(count_ + 1, std::memory_order_release);
    return added;
}

void SiteTable::forget(Module& module) {
    module.loaded = false;
    unmap_pages(module.sites, module.site_room * sizeof(Site));
    mcount::FrameTable::unmake(module.frames);
    module.frames = nullptr;
    module.direct_pages = nullptr;
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

Site* SiteTable::find_function(Module& module, uintptr_t address) {
    const uintptr_t offset = address - module.text_start;
    if (offset >= module.text_size) return nullptr;
    for (const uint32_t slack : {0u, mips::kCploadBytes}) {
        Site* site = find(module, uint32_t(offset) + slack);
        if (site != nullptr && site->kind == SiteKind::sled && module.entry_of(*site) == address)
            return site;
    }
    return nullptr;
}

}  // namespace mipstrace::patch
