#include "tools/text/printable.h"

namespace mipstrace::tools {

namespace {

// In UTF-8, U+0080 to U+009f are control characters, too: U+009b is ESC [.
bool begins_c1(std::string_view text) {
    return text.size() >= 2 && text[0] == '\xc2' && (text[1] & 0xe0) == 0x80;
}

}  // namespace

std::string printable(std::string_view text) {
    static const char digits[] = "0123456789abcdef";
    std::string result;
    size_t c1_left = 0;  // bytes
    for (size_t i = 0; i < text.size(); i++) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (begins_c1(text.substr(i))) c1_left = 2;
        if (c >= ' ' && c != 0x7f && c1_left == 0) {
            result += text[i];
            continue;
        }
        if (c1_left != 0) c1_left--;
        result += "\\x";
        result += digits[c >> 4];
        result += digits[c & 15];
    }
    return result;
}

}  // namespace mipstrace::tools
