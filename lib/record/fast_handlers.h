// Opens the trampolines' own way for the recorder (trampoline/record_by_cycles.h,
// record_by_mono.h), for the plain case: the recorder is the only user of the function, the call is
// nested in the innermost one of this stack, the chunk has room and the clock needs no sync.
// Everything else goes through fgraph_enter and fgraph_leave, as all calls do where the library's
// own text can't be patched.
#pragma once

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::record {

// The recorder is registered in `slot`, with this clock and without limits on depth or duration.
// `page` is the trampoline page of any module. Before any other thread runs.
void install_fast_handlers(format::ClockId clock, unsigned slot, uint32_t page);

}  // namespace mipstrace::record
