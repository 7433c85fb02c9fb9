// An object file as `sites` and the lookup of symbols read it, and all else that ElfFile tells.
#include <cstdint>
#include <string>

#include "lib/elf/elf_file.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"
#include "tools/model/demangle.h"
#include "tools/model/mips_target.h"
#include "tools/model/module_files.h"
#include "tools/model/site_scan.h"

using namespace mipstrace;
using namespace mipstrace::tools;

namespace {

volatile uint64_t sum;  // so that every byte is read

void read_all(const void* bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        sum = sum + static_cast<const unsigned char*>(bytes)[i];
}

void read_symbols(const elf::ElfFile& file) {
    for (bool dynamic : {false, true}) {
        file.for_each_symbol(dynamic, [](const elf::Symbol& symbol) {
            read_all(symbol.name.data(), symbol.name.size() + 1);
            FUZZ_CHECK(!symbol.is_compressed || (symbol.value & 1) == 0);
            return true;
        });
    }
}

void read_sections(const elf::ElfFile& file) {
    for (const char* name : {".text", ".interp", ".eh_frame", ".bss", ".MIPS.abiflags", ""}) {
        elf::Section section;
        if (file.section(name, &section) && section.data != nullptr)
            read_all(section.data, section.size);
    }
    std::string_view id = file.build_id();
    read_all(id.data(), id.size());
    file.has_interpreter();
    file.has_section_headers();
}

void check_table(const elf::ElfFile& file) {
    SymbolTable table;
    table.add(file, false);
    table.add(file, true);
    table.finish();
    for (uint64_t address : {uint64_t(0), uint64_t(0x1000), ~uint64_t(0)}) {
        const FunctionSymbol* in = table.containing(address);
        const FunctionSymbol* behind = table.at_or_behind(address);
        FUZZ_CHECK(in == nullptr || in->address <= address);
        FUZZ_CHECK(behind == nullptr || behind->address >= address);
    }
}

void check_sites(const elf::ElfFile& file, const std::string& path) {
    SiteScan scan = scan_sites(file, path);
    uint64_t before = 0;
    uint64_t count = 0;
    for (const Site& site : scan.sites) {
        FUZZ_CHECK(site.address >= before && site.nops <= 64);
        FUZZ_CHECK(site.kind == Site::Kind::call || site.state != format::SiteState::ready ||
                   site.nops >= 3);
        before = site.address;
        if (count < 16) demangled(site.function, Demangle::full);
    }
    for (uint32_t of_state : scan.counts)
        count += of_state;
    FUZZ_CHECK(count == scan.sites.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::MemoryFile memory(data, size);
    elf::ElfFile file;
    const elf::OpenError error = file.open(memory.path().c_str());
    FUZZ_CHECK(file.is_open() == (error == elf::OpenError::none));
    if (!file.is_open()) return 0;
    read_symbols(file);
    read_sections(file);
    file.for_each_segment([](const elf::Segment& segment) { sum = sum + segment.offset; });
    target_of(file);
    check_table(file);
    check_sites(file, memory.path());
    Module module;
    module.path = memory.path();
    module.build_id = file.build_id();
    std::string warning;
    load_symbols(module, "", {}, &warning);
    return 0;
}
