#include "lib/patch/call_scanner.h"

#include <algorithm>

#include "lib/mcount/file_code.h"

namespace mipstrace::patch {

namespace {

bool program_has_its_own;

// True if the function from `start` on has a sled before `offset`.
bool has_sled(Module& module, size_t sleds, uint32_t start, uint32_t offset) {
    const Site* end = module.sites + sleds;
    const Site* sled =
        std::lower_bound(static_cast<const Site*>(module.sites), end, start,
                         [](const Site& s, uint32_t wanted) { return s.offset < wanted; });
    return sled != end && sled->offset < offset && sled->state == SiteState::ready;
}

}  // namespace

CallScanner::CallScanner(const elf::ElfFile& file, bool is_program) : file_(file) {
    if (is_program) program_has_its_own = mcount::defines_mcount(file, true);
    if (program_has_its_own || !slots_.find(file)) return;
    mcount::for_each_code(file, [&](const mcount::Code& code) {
        for (uint64_t at = code.address; code.holds(at); at += 4)
            most_ += mcount::may_begin_call(code.at(at));
    });
}

bool CallScanner::add_to(Module& module) const {
    if (most_ == 0) return true;
    module.frames = mcount::FrameTable::make(most_);
    if (module.frames == nullptr) return false;
    const size_t sleds = module.site_count;
    auto offset_of = [&](uint64_t address) {
        return uint32_t(module.load_bias + uintptr_t(address) - module.text_start);
    };
    mcount::for_each_code(file_, [&](const mcount::Code& code) {
        mcount::for_each_call_site(code, slots_, [&](const mcount::CallSite& call) {
            const uint32_t offset = offset_of(call.address);
            if (call.start != 0 && has_sled(module, sleds, offset_of(call.start), offset)) return;
            const SiteState state = call.frame.is_known ? SiteState::ready : SiteState::entry_only;
            module.sites[module.site_count++] = Site{offset, 0, state, 0, SiteKind::call};
            module.frames->add(uint32_t(module.text_start + offset + mips::kSledBytes), call.frame);
        });
    });
    std::sort(module.sites, module.sites + module.site_count,
              [](const Site& a, const Site& b) { return a.offset < b.offset; });
    return true;
}

}  // namespace mipstrace::patch
