#include "tools/as_filter/statement.h"

#include <algorithm>
#include <array>

namespace mipstrace::as_filter {

namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

bool is_blank(char c) {
    return kBlanks.find(c) != std::string_view::npos;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

// Length of the quoted string that `text` begins with, quotes included.
size_t quoted_length(std::string_view text) {
    size_t i = 1;
    while (i < text.size() && text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text.size());
}

// Position of the first of `ends` that is outside quotes, or the length of `text`.
size_t find_outside_quotes(std::string_view text, std::string_view ends) {
    size_t i = 0;
    while (i < text.size() && ends.find(text[i]) == std::string_view::npos)
        i += text[i] == '"' ? quoted_length(text.substr(i)) : 1;
    return std::min(i, text.size());
}

std::string_view take_token(std::string_view* rest) {
    while (!rest->empty() && is_blank(rest->front()))
        rest->remove_prefix(1);
    size_t length =
        rest->starts_with('"') ? quoted_length(*rest) : rest->find_first_of(" \t\r\f\v:;#=,\"");
    std::string_view token = rest->substr(0, length);
    rest->remove_prefix(token.size());
    return token;
}

}  // namespace

bool Statement::switches_section() const {
    static constexpr std::array<std::string_view, 11> kSwitches = {
        ".section",  ".text",        ".data",       ".bss",        ".rdata", ".sdata",
        ".previous", ".pushsection", ".popsection", ".subsection", ".sbss"};
    return std::find(kSwitches.begin(), kSwitches.end(), op) != kSwitches.end();
}

Statement parse(std::string_view line) {
    Statement statement;
    std::string_view rest = line;
    std::string_view token = take_token(&rest);
    std::string_view after = trim(rest);
    if (!token.empty() && after.starts_with(':')) {
        statement.label = token;
        rest = after.substr(1);
        token = take_token(&rest);
        after = trim(rest);
    }
    if (after.starts_with('=')) {
        statement.op = after.substr(0, 1);
        after.remove_prefix(1);
    } else {
        statement.op = token;
    }
    size_t end = find_outside_quotes(after, "#;");
    statement.args = trim(after.substr(0, end));
    statement.has_more = end < after.size() && after[end] == ';';
    return statement;
}

std::vector<std::string_view> split_args(std::string_view args) {
    std::vector<std::string_view> parts;
    while (!args.empty()) {
        size_t end = find_outside_quotes(args, ",");
        parts.push_back(trim(args.substr(0, end)));
        args.remove_prefix(std::min(end + 1, args.size()));
    }
    return parts;
}

}  // namespace mipstrace::as_filter
