// What a program that was linked with -pg calls to profile itself by glibc. While its calls are
// counted here, gmon.out is ours, and the times that such a program expects in it are, too: glibc
// would write one without the calls, to the same name.
#include "lib/base/next_function.h"
#include "lib/call_counter/profile.h"
#include "lib/runtime/call_arcs.h"

#define MT_EXPORT extern "C" __attribute__((visibility("default")))

// At the start, by gcrt1.o.
MT_EXPORT void __monstartup(unsigned long low, unsigned long high) {
    if (mipstrace::runtime::is_counting_arcs()) return mipstrace::call_counter::sample_program();
    if (auto* next = mipstrace::next_function<decltype(__monstartup)>("__monstartup"))
        next(low, high);
}

// At exit.
MT_EXPORT void _mcleanup() {
    if (mipstrace::runtime::is_counting_arcs()) return;
    if (auto* next = mipstrace::next_function<decltype(_mcleanup)>("_mcleanup")) next();
}
