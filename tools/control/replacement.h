// The arguments of `mipstrace control PID` that name libraries.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

// FUNC=LIB:NEWFUNC with the path of LIB as any process finds it. Throws DataError where it is not
// of that form, or LIB can't be read.
std::string with_absolute_library(const std::string& argument);

// "add LIB.so at FUNC", the words behind `users`, in the same way.
std::string with_absolute_plugin(const std::vector<std::string>& words);

}  // namespace mipstrace::tools
