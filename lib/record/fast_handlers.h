// Handlers in the core's place while the recorder is registered, for the plain case: the recorder
// is the only user of the function, the call is nested in the innermost one of this stack, the
// chunk has room and the clock needs no sync. Everything else goes to fgraph_enter and
// fgraph_leave. With the clock mono they are one leaf function for an entry and one for a return;
// with the cycle counter there is a way before them that needs no more than the registers that are
// dead anyway (trampoline/record_by_cycles.h).
#pragma once

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::record {

// The recorder is registered in `slot`, with this clock and without limits on depth or duration.
// `page` is the trampoline page of any module. Before any other thread runs.
void install_fast_handlers(format::ClockId clock, unsigned slot, uint32_t page);

}  // namespace mipstrace::record
