// Finds the assembler that the filter stands in front of.
#pragma once

#include <string>

namespace mipstrace::as_filter {

struct RealAssembler {
    std::string path;   // empty if it was not found
    std::string error;  // and then why, as one sentence
};

// MIPSTRACE_AS if set; else what the compiler that started us (COLLECT_GCC) would have run without
// our -B. Never this program itself.
RealAssembler find_real_assembler();

}  // namespace mipstrace::as_filter
