#include "lib/filter/function_filter.h"

#include "lib/filter/glob.h"

namespace mipstrace::filter {

namespace {

std::string_view slice(std::string_view s, size_t from, size_t to) {
    return {s.data() + from, to - from};
}

bool pattern_matches(std::string_view pattern, const FunctionName& function) {
    // The last '@' splits: operator names and versions hold none, module names may not.
    size_t at = pattern.rfind('@');
    if (at != std::string_view::npos) {
        if (!glob_match(slice(pattern, at + 1, pattern.size()), function.module)) return false;
        if (at == 0) return true;
        pattern = slice(pattern, 0, at);
    }
    if (glob_match(pattern, function.name)) return true;
    if (function.demangled.empty()) return false;
    const std::string_view name = without_parameters(function.demangled);
    return glob_match(pattern, function.demangled) || glob_match(pattern, name) ||
           glob_match(pattern, without_return_type(name));
}

}  // namespace

uint64_t parse_address(std::string_view pattern) {
    if (!pattern.starts_with("0x")) return 0;
    uint64_t address = 0;
    for (size_t i = 2; i < pattern.size(); i++) {
        const char c = pattern[i];
        const char letter = char(c | 0x20);
        if (address >> 60 != 0) return 0;
        if (c >= '0' && c <= '9')
            address = address << 4 | uint64_t(c - '0');
        else if (letter >= 'a' && letter <= 'f')
            address = address << 4 | uint64_t(letter - 'a' + 10);
        else
            return 0;
    }
    return address;
}

std::string_view without_parameters(std::string_view demangled) {
    // The parameter list is the last balanced "(...)" on the outermost level; in
    // "operator()(int)" and "(anonymous namespace)::f(int)" the earlier ones belong to the name.
    size_t close = demangled.rfind(')');
    if (close == std::string_view::npos) return demangled;
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
        if (demangled[i] == ')') depth++;
        if (demangled[i] == '(' && --depth == 0) return i == 0 ? demangled : slice(demangled, 0, i);
    }
    return demangled;
}

std::string_view without_return_type(std::string_view name) {
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < name.size(); i++) {
        const char c = name[i];
        // Blanks and brackets behind it are part of the name.
        if (slice(name, i, name.size()).starts_with("operator")) break;
        if (c == '<' || c == '(' || c == '[' || c == '{') depth++;
        if (c == '>' || c == ')' || c == ']' || c == '}') depth--;
        if (c == ' ' && depth == 0) begin = i + 1;
    }
    return slice(name, begin, name.size());
}

bool list_matches(std::string_view list, const FunctionName& function) {
    bool matches = false;
    for_each_pattern(list, [&](std::string_view pattern) {
        matches = matches || pattern_matches(pattern, function);
    });
    return matches;
}

}  // namespace mipstrace::filter
