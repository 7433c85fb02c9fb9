// What the file of a library tells before it is loaded.
#pragma once

#include <string_view>

#include "lib/control/protocol.h"
#include "lib/elf/elf_file.h"

namespace mipstrace::runtime {

// False: says why it is no shared library that this program could load. In the helper thread.
bool open_library(std::string_view path, elf::ElfFile& file, control::Reply& reply);

}  // namespace mipstrace::runtime
