// Shared objects with users of the function graph API, for `record --plugin`.
#pragma once

#include <string>

#include "tools/model/mips_target.h"

namespace mipstrace::tools {

// The absolute path of the plugin that is meant. Throws DataError when it can't be loaded into a
// program for `target`, or is no plugin.
std::string check_plugin(const std::string& name, const MipsTarget& target);

}  // namespace mipstrace::tools
