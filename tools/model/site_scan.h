// The sites of a program as its file shows them, judged as the runtime will judge them.
//
//   __patchable_function_entries: the address of each sled (8 bytes in n64, 4 in o32 and n32);
//   the linker leaves it in place, also where it adds a REL relocation for a PIE or a library
//
//   calls of _mcount, from the code: see lib/mcount/call_site.h
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/elf/elf_file.h"
#include "lib/record/trace_format.h"

namespace mipstrace::tools {

struct Site {
    enum class Kind { sled, call };

    uint64_t address = 0;
    format::SiteState state = format::SiteState::ready;
    Kind kind = Kind::sled;
    uint32_t nops = 0;     // of a sled
    std::string function;  // that holds it, or that it stands before; may be empty
};

struct SiteScan {
    bool has_table = false;
    bool has_own_mcount = false;  // no other object's _mcount is called: it defines one
    std::vector<Site> sites;      // by address
    std::array<uint32_t, format::kSiteStates> counts{};

    uint32_t count(format::SiteState state) const { return counts[size_t(state)]; }
    // Those that are switched on and off.
    uint32_t count_traced() const;
};

// `path` is the file that `file` has open.
SiteScan scan_sites(const elf::ElfFile& file, const std::string& path);

}  // namespace mipstrace::tools
