// What is recorded of a call beside its events: counters of the process, and that a trigger has
// switched the recording. In callbacks of a call, any context that these have.
#pragma once

#include "lib/record/event_writer.h"

namespace mipstrace::record {

void write_note(format::NoteKind kind);

// Reads the counters of a set, of triggers::kMemory and kPageFaults. What can't be read is left
// out.
void write_counters(uint32_t counters, bool is_return);

}  // namespace mipstrace::record
