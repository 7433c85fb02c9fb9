// What GCC prints around a sled, recognized line by line.
#pragma once

#include <string_view>

#include "tools/as_filter/statement.h"

namespace mipstrace::as_filter {

bool is_sled_label(std::string_view label);  // .LPFE7, or $LPFE7 in o32
bool is_compressed_mode(const Statement& s);
bool is_frame_directive(const Statement& s);
bool is_data_word(const Statement& s);
bool is_quiet(const Statement& s);  // emits no code and leaves the place for the sled open

}  // namespace mipstrace::as_filter
