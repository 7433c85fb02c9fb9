// Command lines as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mipstrace::tools {

// Words apart by blanks; either quote groups, a backslash takes the next character as it is.
std::vector<std::string> split_words(const std::string& text);

// With a backslash before each character that a shell or make would not take as it is.
std::string quote_word(const std::string& word);

}  // namespace mipstrace::tools
