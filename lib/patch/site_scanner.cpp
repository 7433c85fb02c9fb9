#include "lib/patch/site_scanner.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/elf/address_table.h"
#include "lib/elf/elf_file.h"
#include "lib/patch/call_scanner.h"

namespace mipstrace::patch {

namespace {

bool said_full;

constexpr const char* kTableSection = "__patchable_function_entries";

bool is_program(const LoadedObject& object) {
    return object.name == nullptr || object.name[0] == '\0';
}

// The program's own name, or the one by which it was loaded. A relative one is of the folder that
// the process is in now, which may change.
bool path_of(const LoadedObject& object, char* path, size_t size) {
    if (is_program(object)) {
        const ssize_t length = readlink("/proc/self/exe", path, size - 1);
        if (length > 0) path[length] = '\0';
        return length > 0;
    }
    size_t used = 0;
    if (object.name[0] != '/') {
        if (getcwd(path, size - 1) == nullptr) return false;
        used = strlen(path);
        path[used++] = '/';
    }
    const size_t length = strlen(object.name);
    if (used + length >= size) return false;
    memcpy(path + used, object.name, length + 1);
    return true;
}

// The span of the executable segments; false if there is none, or it does not fit a position.
bool find_text(const LoadedObject& object, Module& module) {
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    for (size_t i = 0; i < object.segment_count; i++) {
        const ElfW(Phdr)& s = object.segments[i];
        if (s.p_type != PT_LOAD || (s.p_flags & PF_X) == 0) continue;
        low = std::min<uintptr_t>(low, object.bias + s.p_vaddr);
        high = std::max<uintptr_t>(high, object.bias + s.p_vaddr + s.p_memsz);
        module.text_protection = ((s.p_flags & PF_R) != 0 ? PROT_READ : 0) | PROT_EXEC |
                                 ((s.p_flags & PF_W) != 0 ? PROT_WRITE : 0);
    }
    if (low >= high || high - low > 0x40000000) return false;
    module.load_bias = object.bias;
    module.text_start = low & ~(uintptr_t(sysconf(_SC_PAGESIZE)) - 1);
    module.text_size = high - module.text_start;
    return true;
}

SiteState classify(const LoadedObject& object, uintptr_t address) {
    if (!object.covers(address, PF_X) || !object.covers(address + mips::kSledBytes - 1, PF_X))
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
// a function begins right behind the sled and none begins at it. They do so for MIPS16 and
// microMIPS functions, too, whose sleds nobody moves.
void mark_sleds_before_labels(const elf::ElfFile& file, Module& module) {
    auto offset_of = [&](const elf::Symbol& symbol) {
        return uint32_t(module.load_bias + symbol.value - module.text_start);
    };
    auto is_nop = [&](uint32_t offset) {
        return *reinterpret_cast<const volatile uint32_t*>(module.text_start + offset) ==
               mips::kNop;
    };
    auto sort_out = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function) return true;
        const uint32_t start = offset_of(symbol);
        if (start >= module.text_size || (start & 3) != 0) return true;
        // Most functions have no nop in front: one load decides.
        for (uint32_t back = 4; back <= kLongestSled && back <= start && is_nop(start - back);
             back += 4) {
            if (back < mips::kSledBytes) continue;
            Site* site = SiteTable::find(module, start - back);
            if (site != nullptr && site->state == SiteState::ready)
                site->state =
                    symbol.is_compressed ? SiteState::compressed : SiteState::before_label;
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

// `module.sites` has room for `count` more.
bool read_sleds(const LoadedObject& object, const elf::ElfFile& file, const elf::Section& table,
                size_t count, Module& module) {
    // From the file: a library that is just being loaded is not relocated yet.
    auto* addresses = map_objects<uint64_t>(count);
    const bool ok = addresses != nullptr && elf::read_addresses(file, table, addresses);
    for (size_t i = 0; ok && i < count; i++) {
        if (addresses[i] == 0) continue;  // its function was dropped by the linker
        const uintptr_t address = object.bias + uintptr_t(addresses[i]);
        SiteState state = classify(object, address);
        if (state == SiteState::outside) {
            module.by_state[size_t(state)]++;
            continue;
        }
        module.sites[module.site_count++] = Site{
            uint32_t((address & ~uintptr_t(1)) - module.text_start), 0, state, 0, SiteKind::sled};
    }
    if (addresses != nullptr) unmap_pages(addresses, count * sizeof *addresses);
    if (!ok) return false;
    auto by_offset = [](const Site& a, const Site& b) { return a.offset < b.offset; };
    Site* end = module.sites + module.site_count;
    if (!std::is_sorted(module.sites, end, by_offset)) std::sort(module.sites, end, by_offset);
    auto same = [](const Site& a, const Site& b) { return a.offset == b.offset; };
    module.site_count = size_t(std::unique(module.sites, end, same) - module.sites);
    return true;
}

bool know_file(const elf::ElfFile& file, FileKey& key) {
    if (!file_status(file.descriptor(), &key.status)) return false;
    const std::string_view id = file.build_id();
    if (id.size() > sizeof key.build_id) return true;
    memcpy(key.build_id, id.data(), id.size());
    key.build_id_size = uint32_t(id.size());
    return true;
}

bool read_sites(const LoadedObject& object, const elf::ElfFile& file, Module& module) {
    elf::Section table;
    const bool has_table = file.section(kTableSection, &table) && table.address != 0;
    const size_t sleds = has_table ? elf::count_addresses(file, table) : 0;
    const CallScanner calls(file, is_program(object));
    module.site_room = sleds + calls.most();
    if (module.site_room == 0) return false;
    module.sites = map_objects<Site>(module.site_room);
    if (module.sites == nullptr) return false;
    if (sleds != 0) {
        if (!read_sleds(object, file, table, sleds, module)) return false;
        mark_sleds_before_labels(file, module);
    }
    return calls.add_to(module) && (module.site_count != 0 || sleds != 0);
}

bool read_module(const LoadedObject& object, Module& module) {
    elf::ElfFile file;
    return path_of(object, module.path, sizeof module.path) && find_text(object, module) &&
           file.open(module.path) == elf::OpenError::none && file.is_mips() &&
           know_file(file, module.file) && read_sites(object, file, module);
}

}  // namespace

Module* scan_object(SiteTable& table, const LoadedObject& object) {
    auto* module = map_objects<Module>(1);
    if (module == nullptr) return nullptr;
    Module* added = nullptr;
    if (read_module(object, *module)) {
        added = table.add(*module);
        if (added == nullptr && !said_full) {
            LogLine() << "no positions are left for " << module->base_name()
                      << ", neither it nor any other new module is traced";
            said_full = true;
        }
    }
    if (added == nullptr && module->sites != nullptr) SiteTable::forget(*module);
    unmap_pages(module, sizeof *module);
    return added;
}

}  // namespace mipstrace::patch
