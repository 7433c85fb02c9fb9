// Opens the trampolines' own way for the recorder (trampoline/record_by_cycles.h,
// record_by_mono.h), for the plain case: the recorder is the only user of the function, the call is
// nested in the innermost one of this stack, the chunk has room and the clock needs no sync.
// Everything else goes through fgraph_enter and fgraph_leave, as all calls do where the library's
// own text can't be patched.
#pragma once

#include "lib/patch/trampoline_page.h"
#include "lib/record/trace_format.h"

namespace mipstrace::record {

// What modules' pages are made of for this clock.
patch::TrampolineTargets trampoline_targets(format::ClockId clock);

// For a recorder with this clock. Before any other thread runs.
void prepare_fast_handlers(format::ClockId clock);

// Opens that way for calls that begin from now on, once it is prepared and as long as nothing has
// to be looked at but the recorder; or closes it. Calls that are open return by either. False: the
// system does not let it be closed.
bool use_fast_handlers(bool use);

}  // namespace mipstrace::record
