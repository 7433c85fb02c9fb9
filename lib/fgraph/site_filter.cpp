#include "lib/fgraph/site_filter.h"

#include <cxxabi.h>
#include <stdlib.h>

#include "lib/elf/elf_file.h"
#include "lib/filter/function_filter.h"
#include "lib/filter/mangled.h"
#include "lib/patch/code_patcher.h"

namespace mipstrace::fgraph {

namespace {

// Marks on Site::mark while a filter is applied.
constexpr uint8_t kWanted = 1;
constexpr uint8_t kUnwanted = 2;

// The sled stands at the function's first instruction, on o32 up to three behind it (.cpload).
constexpr uint32_t kSledSlack = 12;

bool names_match(std::string_view list, filter::FunctionName& name) {
    return !list.empty() && filter::list_matches(list, name);
}

// Any name of a function selects it, and any name of it excludes it.
void mark_sites(patch::Module& module, const filter::FunctionFilter& filter) {
    for (size_t i = 0; i < module.site_count; i++)
        module.sites[i].mark = filter.wanted.empty() ? kWanted : 0;
    if (filter.empty() || module.site_count == 0) return;
    elf::ElfFile file;
    if (file.open(module.path) != elf::OpenError::none) return;
    auto visit = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function) return true;
        const uintptr_t offset = module.load_bias + uintptr_t(symbol.value) - module.text_start;
        if (offset >= module.text_size) return true;
        patch::Site* site = patch::SiteTable::find(module, uint32_t(offset), kSledSlack);
        if (site == nullptr) return true;
        filter::FunctionName name{symbol.name, {}, module.base_name()};
        char* demangled = nullptr;
        if (symbol.name.size() > 2 && symbol.name[0] == '_' && symbol.name[1] == 'Z' &&
            filter::may_demangle(symbol.name.data())) {
            demangled = abi::__cxa_demangle(symbol.name.data(), nullptr, nullptr, nullptr);
            if (demangled != nullptr) name.demangled = demangled;
        }
        if (names_match(filter.wanted, name)) site->mark |= kWanted;
        if (names_match(filter.unwanted, name)) site->mark |= kUnwanted;
        free(demangled);
        return true;
    };
    if (!file.for_each_symbol(false, visit)) file.for_each_symbol(true, visit);
}

uint16_t with_marked(const patch::Site& site, void* bit) {
    const uint16_t mask = *static_cast<const uint16_t*>(bit);
    return uint16_t(site.mark == kWanted ? site.users | mask : site.users & ~mask);
}

uint16_t without(const patch::Site& site, void* bit) {
    return uint16_t(site.users & ~*static_cast<const uint16_t*>(bit));
}

}  // namespace

void switch_on_for(const fgraph_ops& ops, patch::Module& module) {
    uint16_t mask = uint16_t(1u << ops.slot);
    mark_sites(module, {ops.filter != nullptr ? ops.filter : "",
                        ops.notrace != nullptr ? ops.notrace : ""});
    patch::set_users(module, with_marked, &mask);
}

void switch_off_for(unsigned slot, patch::Module& module) {
    uint16_t mask = uint16_t(1u << slot);
    patch::set_users(module, without, &mask);
}

}  // namespace mipstrace::fgraph
