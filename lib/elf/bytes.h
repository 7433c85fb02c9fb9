// Integers in the byte order and the widths of an ELF file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lib/elf/elf_file.h"

namespace mipstrace::elf {

class Bytes {
  public:
    explicit Bytes(const ElfFile& file)
        : swap_(file.is_big_endian() != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)),
          width_(file.is_64() ? 8 : 4) {}

    size_t width() const { return width_; }  // of an address
    uint64_t address(const unsigned char* at) const {
        if (width_ == 4) return word(at);
        uint64_t value;
        memcpy(&value, at, sizeof value);
        return swap_ ? __builtin_bswap64(value) : value;
    }
    uint32_t word(const unsigned char* at) const {
        uint32_t value;
        memcpy(&value, at, sizeof value);
        return swap_ ? __builtin_bswap32(value) : value;
    }

    // Of an entry of .rel.dyn or .rel.plt, which has the size of two addresses: the number of the
    // symbol that it names. In 64-bit files of MIPS that is a word of its own; the other half of
    // r_info holds three types.
    uint32_t symbol_of(const unsigned char* relocation) const {
        const unsigned char* info = relocation + width_;
        return width_ == 8 ? word(info) : word(info) >> 8;
    }

  private:
    bool swap_;
    size_t width_;
};

}  // namespace mipstrace::elf
