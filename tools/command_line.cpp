#include "tools/command_line.h"

#include <CLI/CLI.hpp>

namespace mipstrace::tools {

namespace {

// Null if there is none of that name.
const CLI::Option* find_option(const CLI::App& verb, const std::string& word) {
    const bool is_long = word.starts_with("--");
    return verb.get_option_no_throw(is_long ? word.substr(0, word.find('=')) : word.substr(0, 2));
}

// True if the value of the option that `word` names is the next word.
bool takes_next(const CLI::Option& option, const std::string& word) {
    if (word.find('=') != std::string::npos) return false;
    if (!word.starts_with("--") && word.size() > 2) return false;  // -t5us
    return option.get_items_expected_max() > 0;
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
            const CLI::Option* option = find_option(*verb, words[i]);
            if (option == nullptr) return words;  // to be complained of
            if (takes_next(*option, words[i])) i++;
            continue;
        }
        words.insert(words.begin() + ptrdiff_t(i), "--");
        break;
    }
    return words;
}

}  // namespace mipstrace::tools
