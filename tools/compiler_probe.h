// Finds out which flags a compiler needs so that its programs can be traced, by trying.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

struct ProbeRequest {
    std::vector<std::string> compiler;  // the command and its own arguments
    bool cxx = false;
    unsigned nops = 3;
    std::string filter_folder;  // libexec/mipstrace
};

struct ProbeResult {
    std::string refusal;  // one sentence; empty if the compiler serves
    std::vector<std::string> flags;
    bool needs_filter = false;  // the flags are to be followed by -B<filter_folder>
};

ProbeResult probe_compiler(const ProbeRequest& request);

}  // namespace mipstrace::tools
