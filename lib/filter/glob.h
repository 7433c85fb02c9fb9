// Shell patterns as -F and -N take them: '*', '?', '[a-z]', '[!a-z]', '\c'.
#pragma once

#include <string_view>

namespace mipstrace::filter {

// True if `pattern` matches the whole of `text`. Linear in the length of the text for each '*';
// allocates nothing. An unclosed '[' is an ordinary character.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace mipstrace::filter
