// The processes that `mipstrace control` is to steer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mipstrace::tools {

struct ControlTarget {
    std::string socket;  // its path
    uint32_t pid = 0;    // as we see it; 0: not known to run
};

// `name` is a PID or the folder of a recording. Throws DataError when there is no such process or
// no socket.
std::vector<ControlTarget> find_control_targets(const std::string& name);

// Adds processes of a folder that have come since. Does not throw.
void add_new_targets(const std::string& name, std::vector<ControlTarget>* targets);

}  // namespace mipstrace::tools
