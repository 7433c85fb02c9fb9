// What a compiler needs so that its programs count their calls: the call-arc plugin that was built
// for just this version of it, and the library for its target.
#pragma once

#include <string>
#include <vector>

namespace mipstrace::tools {

struct ArcsRequest {
    std::vector<std::string> compiler;  // the command and its own arguments
    bool cxx = false;
    bool atomic = false;
    std::string plugins;    // the folder libexec/mipstrace/callarc
    std::string libraries;  // the folder lib/mipstrace
};

struct ArcsFlags {
    std::string refusal;  // one sentence; empty if the compiler serves
    std::vector<std::string> flags;
};

// Tries the compiler.
ArcsFlags find_arcs_flags(const ArcsRequest& request);

}  // namespace mipstrace::tools
