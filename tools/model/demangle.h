#pragma once

#include <string>

namespace mipstrace::tools {

enum class Demangle { no, simple, full };  // simple: without parameters

// The C++ name as a programmer writes it; any other name as it is.
std::string demangled(const std::string& name, Demangle how);

}  // namespace mipstrace::tools
