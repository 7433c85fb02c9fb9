// The program that `mipstrace cflags` has a compiler build, and what it tells about the compiler.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

// The sources, to be compiled with -ffunction-sections and linked with --gc-sections from
// kProbeEntry. The first function of a file is dropped by the linker, and must not take the table
// entries of the others with it.
struct ProbeSource {
    const char* name;  // without its suffix
    const char* text;
};
extern const std::vector<ProbeSource> kProbeSources;
inline constexpr const char* kProbeEntry = "probe_start";

enum class SledFault {
    none,
    unreadable,    // the program is no ELF file with code and symbols
    no_table,      // no entries at all
    lost_entries,  // fewer than functions: dropped with another function
    not_nops,      // an entry leads to other instructions, or to fewer nops than asked for
    misplaced,     // before the function's label, or where .cpload must be
    compressed,    // MIPS16 or microMIPS code
};

// Holds every function that is left one sled of `nops` nops that a call of it runs?
SledFault check_probe_program(const std::string& path, unsigned nops);

// As the end of a sentence: "its nops land before the function's label".
const char* describe(SledFault fault);

bool has_unwind_tables(const std::string& path);

}  // namespace mipstrace::tools
