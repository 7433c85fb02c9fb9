// The sleds of a program as its file shows them, judged as the runtime will judge them.
//
//   __patchable_function_entries: the address of each sled (8 bytes in n64, 4 in o32 and n32);
//   the linker leaves it in place, also where it adds a REL relocation for a PIE or a library
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/elf/elf_file.h"
#include "lib/record/trace_format.h"

namespace mipstrace::tools {

struct Sled {
    uint64_t address = 0;
    format::SiteState state = format::SiteState::ready;
    uint32_t nops = 0;
    std::string function;  // that holds it, or that it stands before; may be empty
};

struct SledScan {
    bool has_table = false;
    std::vector<Sled> sleds;
    std::array<uint32_t, format::kSiteStates> counts{};

    uint32_t count(format::SiteState state) const { return counts[size_t(state)]; }
};

// `path` is the file that `file` has open.
SledScan scan_sleds(const elf::ElfFile& file, const std::string& path);

}  // namespace mipstrace::tools
