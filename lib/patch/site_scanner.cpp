#include "lib/patch/site_scanner.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/elf/elf_file.h"

namespace mipstrace::patch {

namespace {

constexpr const char* kTableSection = "__patchable_function_entries";

struct Scan {
    SiteTable& table;
    uintptr_t self;
    uintptr_t page_size;
};

bool covers(const dl_phdr_info& object, uintptr_t address) {
    for (int i = 0; i < object.dlpi_phnum; i++) {
        const ElfW(Phdr)& s = object.dlpi_phdr[i];
        if (s.p_type == PT_LOAD && address - (object.dlpi_addr + s.p_vaddr) < s.p_memsz)
            return true;
    }
    return false;
}

bool path_of(const dl_phdr_info& object, char* path, size_t size) {
    if (object.dlpi_name != nullptr && object.dlpi_name[0] != '\0') {
        if (strlen(object.dlpi_name) >= size) return false;
        strcpy(path, object.dlpi_name);
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0) path[length] = '\0';
    return length > 0;
}

// The span of the executable segments; false if there is none, or it does not fit a position.
bool find_text(const dl_phdr_info& object, uintptr_t page_size, Module& module) {
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    for (int i = 0; i < object.dlpi_phnum; i++) {
        const ElfW(Phdr)& s = object.dlpi_phdr[i];
        if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
        low = std::min<uintptr_t>(low, object.dlpi_addr + s.p_vaddr);
        high = std::max<uintptr_t>(high, object.dlpi_addr + s.p_vaddr + s.p_memsz);
        module.text_protection = ((s.p_flags & PF_R) != 0 ? PROT_READ : 0) | PROT_EXEC |
                                 ((s.p_flags & PF_W) != 0 ? PROT_WRITE : 0);
    }
    if (low >= high || high - low > 0x40000000) return false;
    module.load_bias = object.dlpi_addr;
    module.text_start = low & ~(page_size - 1);
    module.text_size = high - module.text_start;
    return true;
}

SiteState classify(const Module& module, uintptr_t address) {
    if (address < module.text_start ||
        address + mips::kSledBytes > module.text_start + module.text_size)
        return SiteState::outside;
    if ((address & 1) != 0) return SiteState::compressed;
    if ((address & 3) != 0) return SiteState::outside;
    switch (
        mips::match_sled(mips::read_sled(reinterpret_cast<const volatile uint32_t*>(address)), 0)) {
        case mips::SledWords::untouched:
            return SiteState::ready;
        case mips::SledWords::too_short:
            return SiteState::short_sled;
        default:
            return SiteState::unexpected;
    }
}

// More nops than any sled has.
constexpr uint32_t kLongestSled = 64;

// Compilers up to GCC 15 print the nops before the function's label, where no call runs them: then
// a function begins right behind the sled and none begins at it.
void mark_sleds_before_labels(const elf::ElfFile& file, Module& module) {
    auto offset_of = [&](const elf::Symbol& symbol) {
        return uint32_t(module.load_bias + symbol.value - module.text_start);
    };
    auto is_nop = [&](uint32_t offset) {
        return *reinterpret_cast<const volatile uint32_t*>(module.text_start + offset) ==
               mips::kNop;
    };
    auto sort_out = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function || symbol.is_compressed) return true;
        const uint32_t start = offset_of(symbol);
        if (start >= module.text_size || (start & 3) != 0) return true;
        // Most functions have no nop in front: one load decides.
        for (uint32_t back = 4; back <= kLongestSled && back <= start && is_nop(start - back);
             back += 4) {
            if (back < mips::kSledBytes) continue;
            Site* site = SiteTable::find(module, start - back);
            if (site != nullptr && site->state == SiteState::ready)
                site->state = SiteState::before_label;
        }
        return true;
    };
    auto take_back = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function || symbol.is_compressed) return true;
        Site* site = SiteTable::find(module, offset_of(symbol));
        if (site != nullptr && site->state == SiteState::before_label)
            site->state = SiteState::ready;
        return true;
    };
    const bool dynamic = !file.for_each_symbol(false, sort_out);
    if (dynamic) file.for_each_symbol(true, sort_out);
    // A function that is nothing but its sled lies right in front of the next one.
    file.for_each_symbol(dynamic, take_back);
}

bool read_sites(const dl_phdr_info& object, const elf::Section& section, Module& module) {
    const uintptr_t start = object.dlpi_addr + section.address;
    const size_t count = section.size / sizeof(uintptr_t);
    if (section.address == 0 || count == 0 || !covers(object, start) ||
        !covers(object, start + count * sizeof(uintptr_t) - 1))
        return false;
    module.sites = map_objects<Site>(count);
    if (module.sites == nullptr) return false;
    // The table as the dynamic linker has relocated it.
    const auto* entries = reinterpret_cast<const uintptr_t*>(start);
    for (size_t i = 0; i < count; i++) {
        if (entries[i] == 0) continue;  // its function was dropped by the linker
        SiteState state = classify(module, entries[i]);
        if (state == SiteState::outside) {
            module.by_state[size_t(state)]++;
            continue;
        }
        module.sites[module.site_count++] = {
            uint32_t((entries[i] & ~uintptr_t(1)) - module.text_start), 0, state, 0};
    }
    auto by_offset = [](const Site& a, const Site& b) { return a.offset < b.offset; };
    Site* end = module.sites + module.site_count;
    if (!std::is_sorted(module.sites, end, by_offset)) std::sort(module.sites, end, by_offset);
    auto same = [](const Site& a, const Site& b) { return a.offset == b.offset; };
    module.site_count = size_t(std::unique(module.sites, end, same) - module.sites);
    return true;
}

void keep_build_id(const elf::ElfFile& file, Module& module) {
    const std::string_view id = file.build_id();
    if (id.size() > sizeof module.build_id) return;
    memcpy(module.build_id, id.data(), id.size());
    module.build_id_size = uint32_t(id.size());
}

int visit_object(dl_phdr_info* object, size_t, void* context) {
    auto& scan = *static_cast<Scan*>(context);
    if (covers(*object, scan.self)) return 0;
    Module* module = scan.table.begin_module();
    if (module == nullptr) {
        LogLine() << "more than " << SiteTable::kMaxModules << " objects have sleds, the rest are "
                  << "not traced";
        return 1;
    }
    elf::ElfFile file;
    elf::Section section;
    if (path_of(*object, module->path, sizeof module->path) &&
        find_text(*object, scan.page_size, *module) &&
        file.open(module->path) == elf::OpenError::none && file.is_mips() &&
        file.section(kTableSection, &section) && read_sites(*object, section, *module)) {
        mark_sleds_before_labels(file, *module);
        keep_build_id(file, *module);
        scan.table.add(module);
        return 0;
    }
    unmap_pages(module, sizeof *module);
    return 0;
}

}  // namespace

void scan_loaded_objects(SiteTable& table, const void* self) {
    Scan scan{table, reinterpret_cast<uintptr_t>(self), uintptr_t(sysconf(_SC_PAGESIZE))};
    dl_iterate_phdr(visit_object, &scan);
}

}  // namespace mipstrace::patch
