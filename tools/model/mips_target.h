// Which machine a MIPS program is for, and what that machine is called in the various places.
#pragma once

#include <string>

#include "lib/elf/elf_file.h"

namespace mipstrace::tools {

struct MipsTarget {
    std::string abi;      // o32, n32, n64
    std::string name;     // mips64el, mipsel-musl: the folder lib/mipstrace/NAME
    std::string qemu;     // qemu-mips64el
    std::string cpu;      // for qemu -cpu, empty for its default
    std::string triplet;  // mips64el-linux-gnuabi64
};

MipsTarget target_of(const elf::ElfFile& file);

}  // namespace mipstrace::tools
