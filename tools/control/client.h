// The client's side of docs/control_protocol.md.
#pragma once

#include <string>

#include "tools/control/target.h"

namespace mipstrace::tools {

struct ControlReply {
    bool is_there = true;  // else nobody listens, or the process has ended; `error` says it
    std::string error;     // empty: it was done
    std::string text;      // lines
};

// Sends `request`, a line without its newline, and waits for the reply. Throws DataError when the
// process does not answer.
ControlReply ask_process(const ControlTarget& target, const std::string& request);

// Whether a process listens at this socket.
bool is_listening(const std::string& path);

}  // namespace mipstrace::tools
