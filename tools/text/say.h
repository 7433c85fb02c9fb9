// Sentences to the person at the terminal, on standard error.
#pragma once

#include <string>

namespace mipstrace::tools {

void say(const std::string& sentence);   // "mipstrace: ..."
void warn(const std::string& sentence);  // "mipstrace: warning: ..."

}  // namespace mipstrace::tools
