// Patterns and names: lines "LIST", "NAME", "DEMANGLED", "MODULE". The glob is compared with a
// table of all prefixes, which has none of its shortcuts; the demangler must stay within bounds.
#include <fnmatch.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/filter/function_filter.h"
#include "lib/filter/glob.h"
#include "lib/filter/mangled.h"
#include "tests/fuzz/check.h"
#include "tools/model/demangle.h"
#include "tools/text/csv.h"
#include "tools/text/printable.h"

using namespace mipstrace;
using namespace mipstrace::filter;

namespace {

constexpr size_t kLongestTable = 256;

// Either of any byte, or a set of them.
struct Element {
    bool is_star = false;
    std::array<bool, 256> takes{};
};

unsigned char byte(char c) {
    return static_cast<unsigned char>(c);
}

// The bracket expression that `pattern` begins with; its length, 0 when it has no end.
size_t parse_bracket(std::string_view pattern, Element* element) {
    size_t at = 1;
    const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    if (negated) at++;
    const size_t end = pattern.find(']', at + 1);
    if (end == std::string_view::npos) return 0;
    while (at < end) {
        const bool is_range = at + 2 < end && pattern[at + 1] == '-';
        const unsigned low = byte(pattern[at]);
        const unsigned high = is_range ? byte(pattern[at + 2]) : low;
        for (unsigned c = low; c <= high; c++)
            element->takes[c] = true;
        at += is_range ? 3 : 1;
    }
    for (bool& taken : element->takes)
        taken = taken != negated;
    return end + 1;
}

std::vector<Element> parse_pattern(std::string_view pattern) {
    std::vector<Element> elements;
    while (!pattern.empty()) {
        Element element;
        size_t length = 1;
        if (pattern[0] == '*') {
            element.is_star = true;
        } else if (pattern[0] == '?') {
            element.takes.fill(true);
        } else if (pattern[0] != '[' || (length = parse_bracket(pattern, &element)) == 0) {
            length = pattern[0] == '\\' && pattern.size() > 1 ? 2 : 1;
            element.takes[byte(pattern[length - 1])] = true;
        }
        elements.push_back(element);
        pattern.remove_prefix(length);
    }
    return elements;
}

bool matches_by_table(std::string_view pattern, std::string_view text) {
    std::vector<bool> reached(text.size() + 1);  // by what was looked at of the pattern
    reached[0] = true;
    for (const Element& element : parse_pattern(pattern)) {
        std::vector<bool> next(text.size() + 1);
        for (size_t i = 0; i <= text.size(); i++) {
            if (element.is_star)
                next[i] = reached[i] || (i > 0 && next[i - 1]);
            else
                next[i] = i > 0 && reached[i - 1] && element.takes[byte(text[i - 1])];
        }
        reached.swap(next);
    }
    return reached[text.size()];
}

void check_glob(const std::string& pattern, const std::string& text) {
    if (pattern.size() > kLongestTable || text.size() > kLongestTable) {
        glob_match(pattern, text);
        return;
    }
    const bool matches = glob_match(pattern, text);
    FUZZ_CHECK(matches == matches_by_table(pattern, text));
    // In brackets, and of a lone backslash, the shell's idea is another one.
    if (pattern.find_first_of("[\\") == std::string::npos && pattern.find('\0') == pattern.npos &&
        text.find('\0') == text.npos)
        FUZZ_CHECK(matches == (fnmatch(pattern.c_str(), text.c_str(), 0) == 0));
}

void check_list(const std::string& list, const FunctionName& function) {
    bool one_matches = false;
    std::string_view rest = list;
    for (size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
        end = rest.find(kSeparator);
        const std::string_view pattern = rest.substr(0, end);
        one_matches = one_matches || (!pattern.empty() && list_matches(pattern, function));
        if (end == std::string_view::npos) break;
    }
    FUZZ_CHECK(list_matches(list, function) == one_matches);
    FUZZ_CHECK((FunctionFilter{list, list}.matches(function)) == (list.empty() && !one_matches));
}

void check_demangled(const std::string& name) {
    constexpr size_t kLongest = 256 * 1024;
    const std::string full = tools::demangled(name.c_str(), tools::Demangle::full);
    FUZZ_CHECK(full.size() <= kLongest);
    const std::string brief = tools::demangled(name.c_str(), tools::Demangle::simple);
    FUZZ_CHECK(brief.size() <= full.size());
    FUZZ_CHECK(full.starts_with(without_parameters(full)));
    FUZZ_CHECK(full.ends_with(without_return_type(full)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::array<std::string, 4> fields;
    size_t field = 0;
    for (char c : std::string_view(reinterpret_cast<const char*>(data), size)) {
        if (c == '\n' && field + 1 < fields.size())
            field++;
        else
            fields[field] += c;
    }
    const auto& [list, name, demangled, module] = fields;
    check_glob(list, name);
    check_list(list, {name, demangled, module});
    check_demangled(name);
    tools::printable(name);
    tools::csv_field(name);
    return 0;
}
