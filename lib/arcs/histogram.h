// The histogram of a gmon.out: where the process spends its time, sampled by ITIMER_PROF.
#pragma once

#include <cstdint>

#include "lib/arcs/gmon_writer.h"

namespace mipstrace::gmon {

// Starts sampling the text from `low` to `high`, addresses of the file that is loaded `bias` above
// them. Takes ITIMER_PROF and SIGPROF. Once a process. No bins: errno says why.
Histogram start_histogram(uintptr_t low, uintptr_t high, uintptr_t bias);

}  // namespace mipstrace::gmon
