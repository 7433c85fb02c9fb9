#include "lib/fgraph/site_filter.h"

#include "lib/fgraph/function_names.h"
#include "lib/filter/edit_distance.h"
#include "lib/patch/code_patcher.h"

namespace mipstrace::fgraph {

namespace {

// Marks on Site::mark while a filter is applied.
constexpr uint8_t kWanted = 1;
constexpr uint8_t kUnwanted = 2;

// Marks the sites whose addresses are in `list`; they need no symbols.
void mark_addresses(std::string_view list, patch::Module& module, uint8_t mark) {
    filter::for_each_pattern(list, [&](std::string_view pattern) {
        const uint64_t offset = filter::parse_address(pattern) - module.text_start;
        if (offset >= module.text_size) return;
        patch::Site* site = patch::SiteTable::find(module, uint32_t(offset), kSledSlack);
        if (site != nullptr) site->mark = (site->mark | mark) & 0xf;
    });
}

// Any name of a function selects it, and any name of it excludes it.
void mark_sites(patch::Module& module, const filter::FunctionFilter& filter) {
    for (size_t i = 0; i < module.site_count; i++)
        module.sites[i].mark = filter.wanted.empty() ? kWanted : 0;
    if (filter.empty()) return;
    mark_addresses(filter.wanted, module, kWanted);
    mark_addresses(filter.unwanted, module, kUnwanted);
    for_each_name(module, [&](patch::Site& site, const filter::FunctionName& name) {
        if (filter::list_matches(filter.wanted, name)) site.mark |= kWanted;
        if (filter::list_matches(filter.unwanted, name)) site.mark |= kUnwanted;
    });
}

uint16_t with_marked(const patch::Site& site, void* bit) {
    const uint16_t mask = *static_cast<const uint16_t*>(bit);
    return uint16_t(site.mark == kWanted ? site.users | mask : site.users & ~mask);
}

uint16_t without(const patch::Site& site, void* bit) {
    return uint16_t(site.users & ~*static_cast<const uint16_t*>(bit));
}

bool selects_any(std::string_view pattern, patch::Module& module) {
    mark_sites(module, {pattern, {}});
    for (size_t i = 0; i < module.site_count; i++) {
        if (module.sites[i].mark == kWanted && patch::is_traced(module.sites[i].state)) return true;
    }
    return false;
}

void find_nearest(std::string_view pattern, patch::SiteTable& table, char* nearest, size_t room) {
    unsigned best = filter::kFarApart;
    for (size_t m = 0; m < table.size(); m++) {
        for_each_name(table[m], [&](patch::Site&, const filter::FunctionName& function) {
            const std::string_view name = function.demangled.empty()
                                              ? function.name
                                              : filter::without_parameters(function.demangled);
            const unsigned distance = filter::edit_distance(pattern, name);
            if (distance >= best || name.size() >= room) return;
            best = distance;
            for (size_t i = 0; i < name.size(); i++)
                nearest[i] = name[i];
            nearest[name.size()] = '\0';
        });
    }
}

}  // namespace

void switch_on_for(unsigned slot, const filter::FunctionFilter& filter, patch::Module& module) {
    uint16_t mask = uint16_t(1u << slot);
    mark_sites(module, filter);
    patch::set_users(module, with_marked, &mask);
}

void switch_off_for(unsigned slot, patch::Module& module) {
    uint16_t mask = uint16_t(1u << slot);
    patch::set_users(module, without, &mask);
}

std::string_view find_unmatched(std::string_view list, patch::SiteTable& table, char* nearest,
                                size_t room) {
    std::string_view unmatched;
    filter::for_each_pattern(list, [&](std::string_view pattern) {
        if (!unmatched.empty()) return;
        for (size_t m = 0; m < table.size(); m++)
            if (selects_any(pattern, table[m])) return;
        unmatched = pattern;
    });
    nearest[0] = '\0';
    if (!unmatched.empty()) find_nearest(unmatched, table, nearest, room);
    return unmatched;
}

}  // namespace mipstrace::fgraph
