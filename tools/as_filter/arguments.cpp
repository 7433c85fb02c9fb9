#include "tools/as_filter/arguments.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "tools/words.h"

namespace mipstrace::as_filter {

namespace {

constexpr int kMaxResponseDepth = 32;  // an @FILE may name itself

// Options whose value is the next argument.
constexpr std::array<std::string_view, 17> kTakesValue = {"-o",
                                                          "-I",
                                                          "-G",
                                                          "-t",
                                                          "--MD",
                                                          "--defsym",
                                                          "--debug-prefix-map",
                                                          "-march",
                                                          "-mtune",
                                                          "-mabi",
                                                          "--march",
                                                          "--mtune",
                                                          "--listing-lhs-width",
                                                          "--listing-lhs-width2",
                                                          "--listing-rhs-width",
                                                          "--listing-cont-lines",
                                                          "--hash-size"};

constexpr std::array<std::string_view, 6> kInforms = {"--version", "-version",      "--help",
                                                      "-help",     "--target-help", "-target-help"};

template <typename List>
bool contains(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

void expand_into(const std::vector<std::string>& args, int depth, std::vector<std::string>* out) {
    for (const std::string& arg : args) {
        if (arg.size() > 1 && arg[0] == '@' && depth < kMaxResponseDepth) {
            std::ifstream file(arg.substr(1));
            if (file) {
                std::string text{std::istreambuf_iterator<char>(file), {}};
                expand_into(tools::split_words(text), depth + 1, out);
                continue;
            }
        }
        out->push_back(arg);
    }
}

}  // namespace

std::vector<std::string> expand_response_files(const std::vector<std::string>& args) {
    std::vector<std::string> expanded;
    expand_into(args, 0, &expanded);
    return expanded;
}

Arguments parse_arguments(const std::vector<std::string>& expanded) {
    Arguments parsed;
    for (size_t i = 0; i < expanded.size(); i++) {
        const std::string& arg = expanded[i];
        if (arg == "--" || arg.empty() || arg[0] != '-' || arg == "-") {
            parsed.inputs.push_back(arg == "-" ? "--" : arg);
            continue;
        }
        if (contains(kInforms, arg)) parsed.only_informs = true;
        if (arg == "-f") parsed.raw_text = true;
        parsed.options.push_back(arg);
        if (contains(kTakesValue, arg) && i + 1 < expanded.size())
            parsed.options.push_back(expanded[++i]);
    }
    if (parsed.inputs.empty()) parsed.inputs.push_back("--");
    return parsed;
}

}  // namespace mipstrace::as_filter
