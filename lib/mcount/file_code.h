// The code that is in a file. It lives as long as the file is open.
#pragma once

#include <elf.h>

#include <algorithm>

#include "lib/elf/elf_file.h"
#include "lib/mcount/code.h"

namespace mipstrace::mcount {

// Calls visit(const Code&) for each executable segment, but for those of a damaged file that
// overlap.
template <typename Visit>
void for_each_code(const elf::ElfFile& file, Visit&& visit) {
    const std::string_view bytes = file.bytes();
    const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    uint64_t address = 0;
    uint64_t offset = 0;
    file.for_each_segment([&](const elf::Segment& segment) {
        if (!segment.executable || segment.offset >= bytes.size() || segment.address < address ||
            segment.offset < offset)
            return;
        const uint64_t size = std::min(segment.file_size, bytes.size() - segment.offset);
        const std::string_view code(bytes.data() + segment.offset, size_t(size));
        address = segment.address + code.size();
        offset = segment.offset + code.size();
        visit(Code{reinterpret_cast<const unsigned char*>(code.data()), segment.address,
                   code.size(), file.is_big_endian() != is_big_endian,
                   !file.is_64() && (file.flags() & EF_MIPS_ABI2) == 0});
    });
}

}  // namespace mipstrace::mcount
