#include "tools/verb.h"

#include <CLI/CLI.hpp>

#include "tools/command_line.h"

namespace mipstrace::tools {

Verb::Verb(CLI::App& app, const char* name, const char* help)
    : verb_(*app.add_subcommand(name, help)) {}

void Verb::text(const OptionText& option, std::string* value) {
    verb_.add_option(option.names, *value, option.help)->type_name(option.value);
}

void Verb::texts(const OptionText& option, std::vector<std::string>* values) {
    verb_.add_option(option.names, *values, option.help)
        ->type_name(option.value)
        ->allow_extra_args(false);
}

void Verb::number(const OptionText& option, uint32_t* value) {
    verb_.add_option(option.names, *value, option.help)
        ->type_name(option.value)
        ->check([](const std::string& text) {
            bool is_number = !text.empty() && text.size() < 10 && text != "0" &&
                             text.find_first_not_of("0123456789") == std::string::npos;
            return is_number ? std::string() : "'" + text + "' is not a number above 0";
        });
}

void Verb::numbers(const OptionText& option, std::vector<uint32_t>* values) {
    verb_.add_option(option.names, *values, option.help)
        ->type_name(option.value)
        ->delimiter(',')
        ->allow_extra_args(false);
}

void Verb::flag(const char* names, const char* help, bool* value) {
    verb_.add_flag_callback(
        names, [value] { *value = true; }, help);
}

void Verb::parsed(const OptionText& option, std::function<bool(const std::string&)> parse,
                  const char* expected) {
    verb_
        .add_option_function<std::string>(
            option.names, [parse](const std::string& text) { parse(text); }, option.help)
        ->type_name(option.value)
        ->check([parse, expected](const std::string& text) {
            return parse(text) ? std::string() : "'" + text + "' is not " + expected;
        });
}

void Verb::argument(const OptionText& option, std::string* value, bool is_required) {
    verb_.add_option(option.names, *value, option.help)->required(is_required);
}

void Verb::arguments(const OptionText& option, std::vector<std::string>* values, bool is_required) {
    verb_.add_option(option.names, *values, option.help)
        ->required(is_required)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Verb::program(const char* help, std::vector<std::string>* words) {
    verb_.add_option(kProgramOption, *words, help)->required();
}

void Verb::footer(const char* text) {
    verb_.footer(text);
}

void Verb::does(Runner* run, Runner body) {
    verb_.callback([run, body] { *run = body; });
}

}  // namespace mipstrace::tools
