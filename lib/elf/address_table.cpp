#include "lib/elf/address_table.h"

#include <elf.h>

#include "lib/elf/bytes.h"

namespace mipstrace::elf {

namespace {

// st_value of a symbol of .dynsym; false if there is none of that number.
bool value_of(const Bytes& bytes, const Section& symbols, uint32_t number, uint64_t* value) {
    const bool is_64 = bytes.width() == 8;
    const size_t size = is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    const size_t offset = is_64 ? offsetof(Elf64_Sym, st_value) : offsetof(Elf32_Sym, st_value);
    if (number >= symbols.size / size) return false;
    *value = bytes.address(symbols.data + number * size + offset);
    return true;
}

}  // namespace

size_t count_addresses(const ElfFile& file, const Section& table) {
    return table.data != nullptr ? size_t(table.size) / Bytes(file).width() : 0;
}

bool read_addresses(const ElfFile& file, const Section& table, uint64_t* out) {
    const Bytes bytes(file);
    const size_t width = bytes.width();
    const size_t count = count_addresses(file, table);
    for (size_t i = 0; i < count; i++)
        out[i] = bytes.address(table.data + i * width);
    Section relocations;
    if (!file.section(".rel.dyn", &relocations) || relocations.data == nullptr) return true;
    Section symbols;
    const bool has_symbols = file.section(".dynsym", &symbols) && symbols.data != nullptr;
    for (size_t at = 0; at + 2 * width <= relocations.size; at += 2 * width) {
        const unsigned char* relocation = relocations.data + at;
        const uint64_t offset = bytes.address(relocation) - table.address;
        if (offset >= count * width || offset % width != 0) continue;
        const uint32_t symbol = bytes.symbol_of(relocation);
        uint64_t value = 0;
        if (symbol != 0 && !(has_symbols && value_of(bytes, symbols, symbol, &value))) return false;
        out[offset / width] += value;
    }
    return true;
}

}  // namespace mipstrace::elf
