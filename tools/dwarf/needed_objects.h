// The files that a program is made of, as far as they are its own.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

// The program and the libraries that it is linked to, directly or by one of them, where these are
// found by a path that an object names (DT_RUNPATH, DT_RPATH) or LD_LIBRARY_PATH does: those of the
// system were not compiled to be traced.
std::vector<std::string> own_objects(const std::string& program);

}  // namespace mipstrace::tools
