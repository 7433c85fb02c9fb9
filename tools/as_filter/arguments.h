// What the filter has to know of the command line of `as`.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::as_filter {

struct Arguments {
    std::vector<std::string> options;  // everything but the input files, in order
    std::vector<std::string> inputs;   // "--" is standard input; never empty
    bool only_informs = false;         // --version and the like: as reads no input
    bool raw_text = false;             // -f: as takes no comments, so no line markers either
};

// Expands @FILE as as does. An @FILE that cannot be read is kept as it is.
std::vector<std::string> expand_response_files(const std::vector<std::string>& args);

Arguments parse_arguments(const std::vector<std::string>& expanded);

}  // namespace mipstrace::as_filter
