#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mipstrace::tools {

// The positional of verbs that run a program: it and its arguments.
inline constexpr char kProgramOption[] = "PROG";

// `mipstrace record -t 5us ls -l` means `... -t 5us -- ls -l`: what stands behind the traced
// program's name belongs to it. Puts the "--" in for verbs that run a program.
std::vector<std::string> with_separator(const CLI::App& app, std::vector<std::string> words);

}  // namespace mipstrace::tools
