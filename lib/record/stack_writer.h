// Writes the callers of a call. For the recorder's general way.
#pragma once

#include "lib/fgraph/ftrace_regs.h"
#include "lib/record/event_writer.h"

namespace mipstrace::record {

// How many of them; at most format::kMostInStack. Once, before tracing.
void set_stack_depth(uint32_t most);

// Writes the stack of a call whose enter event is written next. `frame` and `regs`: as the entry
// callback of a user has them, with all registers.
void write_stack(EventWriter& writer, const fgraph::Frame& frame, const ftrace_regs& regs,
                 size_t own_claims);

// Takes back what the above wrote last, if that is of this function's call.
void take_back_stack(EventWriter& writer, uint32_t position);

}  // namespace mipstrace::record
