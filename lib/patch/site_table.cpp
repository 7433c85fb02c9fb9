#include "lib/patch/site_table.h"

#include <algorithm>

#include "lib/base/arena.h"

namespace mipstrace::patch {

Module* SiteTable::begin_module() {
    return count_ == kMaxModules ? nullptr : map_objects<Module>(1);
}

void SiteTable::add(Module* module) {
    module->pos_base = next_position_;
    next_position_ += uint32_t((module->text_size + 0xffff) & ~size_t(0xffff));
    modules_[count_++] = module;
}

Site* SiteTable::find(Module& module, uint32_t offset, uint32_t slack) {
    Site* end = module.sites + module.site_count;
    Site* site = std::lower_bound(module.sites, end, offset,
                                  [](const Site& s, uint32_t wanted) { return s.offset < wanted; });
    return site != end && site->offset - offset <= slack ? site : nullptr;
}

}  // namespace mipstrace::patch
