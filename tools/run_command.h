// Runs another program and takes what it prints.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

struct CommandResult {
    int start_error = 0;  // errno if the program could not be started
    int status = -1;      // its exit status, 128 + signal if a signal ended it
    std::string output;   // standard output, and with `merge_errors` standard error

    bool succeeded() const { return start_error == 0 && status == 0; }
};

// Searches PATH for `command[0]`. Standard input is /dev/null.
CommandResult run_command(const std::vector<std::string>& command, bool merge_errors);

}  // namespace mipstrace::tools
