// The machine code of a module, as words by ELF address.
#pragma once

#include <cstdint>
#include <cstring>

#include "lib/mips/effect.h"

namespace mipstrace::mcount {

// Owns nothing: the bytes are a file's, or those of the text in memory.
struct Code {
    const unsigned char* bytes;
    uint64_t address;
    uint64_t size;
    bool swap;    // its byte order is not this machine's
    bool is_o32;  // the ABI where _mcount takes two words off the stack

    bool holds(uint64_t at) const { return at - address < size && size - (at - address) >= 4; }
    // At an address that it holds.
    mips::Insn at(uint64_t where) const {
        uint32_t word;
        memcpy(&word, bytes + (where - address), sizeof word);
        return {swap ? __builtin_bswap32(word) : word};
    }
};

}  // namespace mipstrace::mcount
