// Handlers that the trampolines call in the core's place while the recorder is registered: one leaf
// function for an entry and one for a return, for the plain case. The plain case is: the recorder
// is the only user of the function, the call is nested in the innermost one of this stack, the
// chunk has room and the clock needs no sync. Everything else goes to fgraph_enter and
// fgraph_leave.
#pragma once

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::record {

// The recorder is registered in `slot`, with this clock and without limits on depth or duration.
void install_fast_handlers(format::ClockId clock, unsigned slot);

}  // namespace mipstrace::record
