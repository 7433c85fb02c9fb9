#include "lib/mcount/call_slots.h"

#include <elf.h>

#include "lib/elf/bytes.h"

namespace mipstrace::mcount {

namespace {

using elf::Bytes;
using elf::Section;

bool has_bytes(const elf::ElfFile& file, const char* name, Section* section) {
    return file.section(name, section) && section->data != nullptr;
}

// The number of the undefined symbol _mcount in .dynsym; 0: there is none.
uint32_t find_symbol(const elf::ElfFile& file, const Bytes& bytes) {
    Section symbols;
    Section names;
    if (!has_bytes(file, ".dynsym", &symbols) || !has_bytes(file, ".dynstr", &names)) return 0;
    const bool is_64 = bytes.width() == 8;
    const size_t size = is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    const size_t section = is_64 ? offsetof(Elf64_Sym, st_shndx) : offsetof(Elf32_Sym, st_shndx);
    for (uint32_t i = 1; i < symbols.size / size; i++) {
        const unsigned char* symbol = symbols.data + i * size;
        const uint64_t name = bytes.word(symbol);  // st_name
        if (names.size < sizeof kMcount || name > names.size - sizeof kMcount ||
            memcmp(names.data + name, kMcount, sizeof kMcount) != 0)
            continue;
        const bool is_undefined = symbol[section] == 0 && symbol[section + 1] == 0;
        return is_undefined ? i : 0;
    }
    return 0;
}

// Of the first entry of .dynamic with this tag; 0: there is none.
uint64_t dynamic_value(const Section& dynamic, const Bytes& bytes, uint64_t tag) {
    const size_t width = bytes.width();
    for (size_t at = 0; at + 2 * width <= dynamic.size; at += 2 * width) {
        if (bytes.address(dynamic.data + at) == tag)
            return bytes.address(dynamic.data + at + width);
    }
    return 0;
}

}  // namespace

void CallSlots::add(uint64_t address) {
    if (count_ < kMost && !holds(address)) slots_[count_++] = address;
}

bool CallSlots::holds(uint64_t address) const {
    if (!is_64_) address = uint32_t(address);
    for (size_t i = 0; i < count_; i++) {
        if (slots_[i] == address) return true;
    }
    return false;
}

bool CallSlots::find(const elf::ElfFile& file) {
    const Bytes bytes(file);
    const size_t width = bytes.width();
    is_64_ = file.is_64();
    const uint32_t symbol = find_symbol(file, bytes);
    if (symbol == 0) return false;
    Section section;
    if (has_bytes(file, ".dynamic", &section)) {
        const uint64_t table = dynamic_value(section, bytes, DT_PLTGOT);
        const uint64_t locals = dynamic_value(section, bytes, DT_MIPS_LOCAL_GOTNO);
        const uint64_t first = dynamic_value(section, bytes, DT_MIPS_GOTSYM);
        if (table != 0 && first != 0 && symbol >= first)
            add(table + (locals + (symbol - first)) * width);
    }
    for (const char* name : {".rel.dyn", ".rel.plt"}) {
        if (!has_bytes(file, name, &section)) continue;
        for (size_t at = 0; at + 2 * width <= section.size; at += 2 * width) {
            if (bytes.symbol_of(section.data + at) == symbol) add(bytes.address(section.data + at));
        }
    }
    return count_ != 0;
}

bool defines_mcount(const elf::ElfFile& file, bool dynamic) {
    bool found = false;
    file.for_each_symbol(dynamic, [&](const elf::Symbol& symbol) {
        found = symbol.is_function && symbol.name == kMcount;
        return !found;
    });
    return found;
}

}  // namespace mipstrace::mcount
