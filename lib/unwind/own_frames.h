// Frames that an untraced program would not have, and that its stack traces therefore leave out:
// return_to_handler and return_from_signal, which unwinders meet in front of the caller of a traced
// call, and the functions of this folder. Where a signal found return_to_handler running, it stays.
#pragma once

#include <cstdint>

#include "lib/fgraph/core.h"

// A function that takes the place of another library's. All are in one section, so that a return
// address into any of them is known by its place.
#define MT_UNWIND_WRAPPER \
    __attribute__((section("unwind_wrappers"), visibility("default"), noinline))

extern "C" {
// The linker's.
extern const char __start_unwind_wrappers[] __attribute__((visibility("hidden")));
extern const char __stop_unwind_wrappers[] __attribute__((visibility("hidden")));
}

namespace mipstrace::unwind {

// `pc`: as an unwinder gives it, for a caller its return address.
inline bool is_own_frame(uintptr_t pc) {
    return pc == reinterpret_cast<uintptr_t>(&return_to_handler) ||
           pc == reinterpret_cast<uintptr_t>(&return_from_signal) ||
           (pc >= reinterpret_cast<uintptr_t>(__start_unwind_wrappers) &&
            pc < reinterpret_cast<uintptr_t>(__stop_unwind_wrappers));
}

}  // namespace mipstrace::unwind
