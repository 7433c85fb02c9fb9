// Writes an enter or leave event together with arguments or a return value. For the recorder's
// general way.
#pragma once

#include "lib/record/event_writer.h"
#include "lib/record/value_rules.h"

namespace mipstrace::record {

// `event`: what would be written without values. The values are those that `function` has of that
// kind. Strings are read from the program's memory as far as it is there.
void write_with_values(EventWriter& writer, uint32_t now, format::WithValues event,
                       const FunctionRules& function, ftrace_regs* regs, size_t own_claims);

// Takes back what the above wrote last, if that is the enter event of this call and less than
// `duration` ago.
bool take_back_with_values(EventWriter& writer, uint32_t position, uint32_t now, uint32_t duration);

}  // namespace mipstrace::record
