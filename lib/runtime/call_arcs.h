// The way of a process that counts its calls instead of recording them.
#pragma once

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// In the place of the recorder's part of start().
void count_arcs(const Config& config);

// True once they are.
bool is_counting_arcs();

// Writes gmon.out, if calls are counted.
void finish_arcs();

}  // namespace mipstrace::runtime
