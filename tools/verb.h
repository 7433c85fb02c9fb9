// One verb of the command line. Keeps CLI11, which takes the compiler seconds, out of every file
// but verb.cpp and main.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/commands.h"

namespace mipstrace::tools {

// How an option looks like in the help.
struct OptionText {
    const char* names;  // "-i,--input"; without dashes: what stands for itself
    const char* value;  // what to put behind it: "DIR"
    const char* help;
};

class Verb {
  public:
    Verb(CLI::App& app, const char* name, const char* help);

    // Variables that are given must live as long as `app`.
    void text(const OptionText& option, std::string* value);
    void texts(const OptionText& option, std::vector<std::string>* values);  // may be repeated
    void number(const OptionText& option, uint32_t* value);                  // not 0
    void numbers(const OptionText& option, std::vector<uint32_t>* values);   // with commas, too
    void flag(const char* names, const char* help, bool* value);
    // `parse` returns false for what is not `expected`, and is called more than once.
    void parsed(const OptionText& option, std::function<bool(const std::string&)> parse,
                const char* expected);

    void argument(const OptionText& option, std::string* value, bool is_required);
    void arguments(const OptionText& option, std::vector<std::string>* values, bool is_required);
    // The program to run and all that follows it.
    void program(const char* help, std::vector<std::string>* words);
    void footer(const char* text);

    // What the verb does.
    void does(Runner* run, Runner body);

  private:
    CLI::App& verb_;
};

}  // namespace mipstrace::tools
