// How much two names differ, to say which one was probably meant.
#pragma once

#include <string_view>

namespace mipstrace::filter {

// From here on names have nothing to do with each other.
inline constexpr unsigned kFarApart = 4;

// Letters to insert, leave out or change in one to have the other; kFarApart or more: many. Takes a
// time in proportion to the length of the names.
unsigned edit_distance(std::string_view a, std::string_view b);

}  // namespace mipstrace::filter
