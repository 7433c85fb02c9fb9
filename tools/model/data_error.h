#pragma once

#include <stdexcept>
#include <string>

namespace mipstrace::tools {

// What is wrong with what a verb was given, in one sentence. main() prints it and ends with
// `status`.
struct DataError : std::runtime_error {
    explicit DataError(const std::string& sentence, int exit_status = 1)
        : std::runtime_error(sentence), status(exit_status) {}
    int status;
};

}  // namespace mipstrace::tools
