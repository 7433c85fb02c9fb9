#pragma once

namespace mipstrace::gmon {

// Calls `dump` when a signal ends the program, for those signals that do so now: what the program
// handles or ignores by then is left alone. The signal ends it afterwards.
void dump_on_crash(void (*dump)());

}  // namespace mipstrace::gmon
