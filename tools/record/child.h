#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/record/record.h"

namespace mipstrace::tools {

struct ChildCommand {
    std::string file;
    std::vector<std::string> words;                                // argv
    std::vector<std::pair<std::string, std::string>> environment;  // beside our own
    std::vector<int> passed_signals;  // passed on beside the usual ones; 0: none
};

// Runs it to its end. What a terminal sends (^C, ^\) it gets from there; what somebody sends to us
// alone is passed on to it. We survive both, to finish the recording. Throws DataError with the
// status 126 or 127 when it can't be started.
ProgramEnd run_child(const ChildCommand& command);

}  // namespace mipstrace::tools
