// What the control socket and the toggle signal do to this process; docs/control_protocol.md.
#pragma once

#include <mipstrace/fgraph.h>

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// Once, before other threads, with the recorder registered.
void prepare_steering(const Config& config, fgraph_ops* recorder);

// Opens the socket beside the trace file, which is new. Any context.
void open_control_socket();
// Removes it. At the process's end.
void close_control_socket();

// True if this process can be steered and records nothing before it is. In the child of a fork,
// for its only thread.
bool waits_for_control();

// In the child of a fork, which opens a socket of its own with its trace file.
void leave_control_to_parent();

}  // namespace mipstrace::runtime
