// What the dynamic linker keeps for debuggers: its lists of loaded objects, one for the program and
// one for each namespace that dlmopen made.
#pragma once

#include <link.h>

namespace mipstrace::patch {

// _r_debug as it is behind the fields that all versions have.
extern "C" r_debug_extended program_namespace __asm__("_r_debug");

// The namespace behind `space`, or null. The first one is the program's.
inline const r_debug_extended* next_namespace(const r_debug_extended* space) {
    constexpr int kHasNext = 2;
    return program_namespace.base.r_version < kHasNext ? nullptr : space->r_next;
}

}  // namespace mipstrace::patch
