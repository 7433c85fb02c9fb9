// A section that holds nothing but addresses, such as __patchable_function_entries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/elf/elf_file.h"

namespace mipstrace::elf {

// How many addresses `table`, a section of `file`, holds.
size_t count_addresses(const ElfFile& file, const Section& table);

// Puts them into `out`, as ELF addresses. On MIPS a relocation adds to what stands in the file, and
// only one that names a symbol changes an ELF address; those are followed here. False: damaged.
bool read_addresses(const ElfFile& file, const Section& table, uint64_t* out);

}  // namespace mipstrace::elf
