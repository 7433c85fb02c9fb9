#pragma once

#include <string>
#include <string_view>

namespace mipstrace::tools {

// Control characters as \xHH: what comes from a file must not reach the terminal as an escape
// sequence, nor break a line.
std::string printable(std::string_view text);

}  // namespace mipstrace::tools
