// What tells a process from an earlier or later one with the same pid.
#pragma once

#include <cstdint>

namespace mipstrace {

// When process `pid` began, in clock ticks since boot: the same for all programs that it execs. 0
// where /proc does not tell. Any context.
uint64_t process_start(uint32_t pid);

}  // namespace mipstrace
