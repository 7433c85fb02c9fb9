// What was counted as files: gmon.out for the program, and gmon.out.NAME for each traced library
// that has calls.
#pragma once

namespace mipstrace::call_counter {

// Once, when the modules that the program begins with are ready.
void begin_profile();

// Samples the program's time, too, from now on.
void sample_program();

// Writes the files: at exit, on request, after a crash. Any context; while it is at it, nothing.
void write_profile();

// In the child of a fork.
void begin_profile_in_child();

}  // namespace mipstrace::call_counter
