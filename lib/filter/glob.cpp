#include "lib/filter/glob.h"

namespace mipstrace::filter {

namespace {

// Ranges go by the numbers of bytes, whatever char is.
unsigned char byte(char c) {
    return static_cast<unsigned char>(c);
}

// Matches the bracket expression at `pattern[at]` against `c`; moves `at` behind it.
// Returns false and leaves `at` if there is no closing ']'.
bool match_bracket(std::string_view pattern, size_t* at, char c, bool* matched) {
    size_t i = *at + 1;
    bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) i++;
    bool found = false;
    for (size_t first = i; i < pattern.size(); i++) {
        if (pattern[i] == ']' && i != first) {
            *at = i + 1;
            *matched = found != negated;
            return true;
        }
        unsigned char low = byte(pattern[i]);
        unsigned char high = low;
        if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
            high = byte(pattern[i + 2]);
            i += 2;
        }
        if (low <= byte(c) && byte(c) <= high) found = true;
    }
    return false;
}

// Matches one element of the pattern (not '*') at `*at` against `c`; moves `at` behind it.
bool match_one(std::string_view pattern, size_t* at, char c) {
    char p = pattern[*at];
    bool matched = false;
    if (p == '[' && match_bracket(pattern, at, c, &matched)) return matched;
    if (p == '?') {
        ++*at;
        return true;
    }
    if (p == '\\' && *at + 1 < pattern.size()) p = pattern[++*at];
    ++*at;
    return p == c;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
    size_t p = 0;
    size_t t = 0;
    size_t star = std::string_view::npos;  // behind the last '*', and where its match began
    size_t star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            star_text = t;
            continue;
        }
        if (p < pattern.size() && match_one(pattern, &p, text[t])) {
            t++;
            continue;
        }
        if (star == std::string_view::npos) return false;
        p = star;
        t = ++star_text;
    }
    while (p < pattern.size() && pattern[p] == '*')
        p++;
    return p == pattern.size();
}

}  // namespace mipstrace::filter
