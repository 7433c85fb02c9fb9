// What it takes on this machine to run a program traced: our library, and for a foreign machine's
// program an emulator and that machine's files.
#pragma once

#include <string>

#include "tools/record/program.h"
#include "tools/record/record.h"

namespace mipstrace::tools {

struct RuntimeFiles {
    std::string library;  // libmipstrace.so for the program's ABI
    std::string preload;  // that and, behind it, the plugins, which use it
    std::string qemu;     // empty: the program runs natively
    std::string sysroot;  // with qemu: what it finds the program's libraries below
};

// Throws DataError when something is missing.
RuntimeFiles find_runtime(const Program& program, const RecordOptions& options);

}  // namespace mipstrace::tools
