// The names of the functions that have sites.
#pragma once

#include <cxxabi.h>
#include <stdlib.h>

#include <algorithm>

#include "lib/elf/elf_file.h"
#include "lib/filter/function_filter.h"
#include "lib/filter/mangled.h"
#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

// The sled stands at the function's first instruction, on o32 up to three behind it (.cpload); a
// call of _mcount anywhere in it.
inline constexpr uint32_t kSledSlack = 12;

inline uint32_t site_slack(const elf::Symbol& symbol) {
    const uint64_t last = symbol.size != 0 ? symbol.size - 1 : 0;
    return uint32_t(std::clamp<uint64_t>(last, kSledSlack, UINT32_MAX));
}

// Calls `visit(patch::Site&, const filter::FunctionName&, uintptr_t address)` for each name of each
// function of `module`, which may have several. A short one that has no sled may get that of the
// function behind it, which does not begin at `address`. Allocates through libelf and the
// demangler.
template <typename Visit>
void for_each_function(patch::Module& module, Visit&& visit) {
    elf::ElfFile file;
    if (module.site_count == 0 || file.open(module.path) != elf::OpenError::none) return;
    auto visit_symbol = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function) return true;
        const uintptr_t offset = module.load_bias + uintptr_t(symbol.value) - module.text_start;
        if (offset >= module.text_size) return true;
        patch::Site* site = patch::SiteTable::find(module, uint32_t(offset), site_slack(symbol));
        if (site == nullptr) return true;
        filter::FunctionName name{symbol.name, {}, module.base_name()};
        char* demangled = nullptr;
        if (symbol.name.size() > 2 && symbol.name[0] == '_' && symbol.name[1] == 'Z' &&
            filter::may_demangle(symbol.name.data())) {
            demangled = abi::__cxa_demangle(symbol.name.data(), nullptr, nullptr, nullptr);
            if (demangled != nullptr) name.demangled = demangled;
        }
        visit(*site, static_cast<const filter::FunctionName&>(name), module.text_start + offset);
        free(demangled);
        return true;
    };
    if (!file.for_each_symbol(false, visit_symbol)) file.for_each_symbol(true, visit_symbol);
}

// The same without the address.
template <typename Visit>
void for_each_name(patch::Module& module, Visit&& visit) {
    for_each_function(module, [&](patch::Site& site, const filter::FunctionName& name, uintptr_t) {
        visit(site, name);
    });
}

}  // namespace mipstrace::fgraph
