// The argument of `mipstrace control PID replace`.
#pragma once

#include <string>

namespace mipstrace::tools {

// FUNC=LIB:NEWFUNC with the path of LIB as any process finds it. Throws DataError where it is not
// of that form, or LIB can't be read.
std::string with_absolute_library(const std::string& argument);

}  // namespace mipstrace::tools
