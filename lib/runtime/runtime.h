// Wires the parts together: the one place that knows them all.
#pragma once

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// Finds the sleds of this process, makes them ready, opens the trace file and registers the
// recorder. Before any other thread, and before constructors of the program, run. On any failure
// the program goes on untraced; why is said on standard error.
void start(const Config& config, int argc, const char* const* argv);

// Marks the trace file as complete. At exit.
void finish();

}  // namespace mipstrace::runtime
