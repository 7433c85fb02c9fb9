#include "tools/text/say.h"

#include <cstdio>

#include "tools/text/printable.h"

namespace mipstrace::tools {

void say(const std::string& sentence) {
    fprintf(stderr, "mipstrace: %s\n", printable(sentence).c_str());
}

void warn(const std::string& sentence) {
    say("warning: " + sentence);
}

}  // namespace mipstrace::tools
