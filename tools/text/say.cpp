#include "tools/text/say.h"

#include <cstdio>

namespace mipstrace::tools {

namespace {

// What comes from a damaged file must not reach the terminal as an escape sequence.
std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
    return text;
}

}  // namespace

void say(const std::string& sentence) {
    fprintf(stderr, "mipstrace: %s\n", printable(sentence).c_str());
}

void warn(const std::string& sentence) {
    say("warning: " + sentence);
}

}  // namespace mipstrace::tools
