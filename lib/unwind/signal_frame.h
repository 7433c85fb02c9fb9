// What the kernel leaves on the stack for a signal handler.
#pragma once

#include <cstdint>

#include "lib/unwind/safe_memory.h"

namespace mipstrace::unwind {

struct Interrupted {
    uintptr_t pc, sp, fp, ra;
};

// True if `address` is where a handler returns to: the system call that goes back to what the
// signal has interrupted.
bool is_signal_return(uintptr_t address, SafeMemory& memory);

// What was interrupted by the signal whose handler returns to `address` with this stack pointer.
// False: it can't be read.
bool read_signal_frame(uintptr_t address, uintptr_t sp, SafeMemory& memory, Interrupted* out);

}  // namespace mipstrace::unwind
