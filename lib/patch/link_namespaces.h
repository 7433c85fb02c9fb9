// What the dynamic linker keeps for debuggers: its lists of loaded objects, one for the program
// and, with glibc, one for each namespace that dlmopen made.
#pragma once

#include <link.h>

namespace mipstrace::patch {

// As glibc has it since r_version is 2; the first fields are every dynamic linker's.
struct LinkNamespace {
    r_debug base;
    const LinkNamespace* next;
};

#ifdef __GLIBC__
extern "C" const LinkNamespace debug_namespace __asm__("_r_debug");
inline const LinkNamespace& program_namespace() {
    return debug_namespace;
}
#else
extern "C" const LinkNamespace* const debug_namespace __asm__("_dl_debug_addr");  // musl's
inline const LinkNamespace& program_namespace() {
    return *debug_namespace;
}
#endif

// The namespace behind `space`, or null. The first one is the program's.
inline const LinkNamespace* next_namespace(const LinkNamespace* space) {
    constexpr int kHasNext = 2;
    return program_namespace().base.r_version < kHasNext ? nullptr : space->next;
}

}  // namespace mipstrace::patch
