#include "tools/words.h"

#include <cctype>

namespace mipstrace::tools {

std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            in_word = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (isspace(static_cast<unsigned char>(c)) != 0) {
            if (in_word) words.push_back(word);
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (in_word) words.push_back(word);
    return words;
}

std::string quote_word(const std::string& word) {
    std::string quoted;
    for (char c : word) {
        static constexpr std::string_view kPlain = "+,-./:=@_~%^";
        bool plain = isalnum(static_cast<unsigned char>(c)) != 0 ||
                     kPlain.find(c) != std::string_view::npos ||
                     static_cast<unsigned char>(c) >= 0x80;
        if (!plain) quoted += '\\';
        quoted += c;
    }
    return quoted;
}

}  // namespace mipstrace::tools
