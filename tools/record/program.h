// The program that is to be traced: finds it, and says what stands in the way before it runs.
#pragma once

#include <string>

#include "tools/model/mips_target.h"

namespace mipstrace::tools {

struct Program {
    std::string path;
    std::string interpreter;  // of the dynamic linker, empty if unknown
    MipsTarget target;
};

// Looks `name` up as a shell does. With `force`, what only makes an empty recording likely is no
// reason to refuse. Throws DataError, with the status that a shell gives where it has one.
Program check_program(const std::string& name, bool force);

// Refuses a program none of whose functions can be traced; with `force` it only warns.
void check_sites(const Program& program, bool force);

}  // namespace mipstrace::tools
