#include "tools/command_line.h"

#include <CLI/CLI.hpp>

namespace mipstrace::tools {

namespace {

bool takes_value(const CLI::App& verb, const std::string& word) {
    if (word.find('=') != std::string::npos) return false;
    if (!word.starts_with("--") && word.size() > 2) return false;  // -t5us
    const CLI::Option* option = verb.get_option_no_throw(word);
    return option != nullptr && option->get_items_expected_max() > 0;
}

}  // namespace

std::vector<std::string> with_separator(const CLI::App& app, std::vector<std::string> words) {
    if (words.empty()) return words;
    auto verbs = app.get_subcommands([&](const CLI::App* a) { return a->get_name() == words[0]; });
    if (verbs.empty() || verbs[0]->get_option_no_throw(kProgramOption) == nullptr) return words;
    const CLI::App* verb = verbs[0];
    for (size_t i = 1; i < words.size(); i++) {
        if (words[i] == "--") return words;
        if (words[i].starts_with('-') && words[i] != "-") {
            if (takes_value(*verb, words[i])) i++;
            continue;
        }
        words.insert(words.begin() + ptrdiff_t(i), "--");
        break;
    }
    return words;
}

}  // namespace mipstrace::tools
