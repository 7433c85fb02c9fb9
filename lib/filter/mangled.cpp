#include "lib/filter/mangled.h"

#include <setjmp.h>
#include <stddef.h>

// Of libsupc++, and in no header: demangles piece by piece and keeps nothing on the heap.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled,
                                             void (*callback)(const char*, size_t, void*),
                                             void* opaque);

namespace mipstrace::filter {

namespace {

constexpr size_t kLongestName = 16 * 1024;
constexpr size_t kLongestResult = 64 * 1024;
// Each reference about doubles what stands before it at most.
constexpr size_t kFewReferences = 6;

struct Trial {
    jmp_buf too_long;
    size_t size;
};

void count(const char*, size_t size, void* opaque) {
    auto& trial = *static_cast<Trial*>(opaque);
    trial.size += size;
    // The demangler can't be told to stop. It is C and has nothing to clean up.
    if (trial.size > kLongestResult) longjmp(trial.too_long, 1);
}

}  // namespace

bool may_demangle(const char* mangled) {
    size_t size = 0;
    size_t references = 0;
    bool has_packs = false;  // a pattern with one is written once for each of its members
    for (; mangled[size] != '\0'; size++) {
        if (size == kLongestName) return false;
        if (mangled[size] == 'S' || mangled[size] == 'T') references++;
        if (mangled[size] == 'D' && mangled[size + 1] == 'p') has_packs = true;
    }
    // Most names need no trial.
    if (references <= kFewReferences && size <= kLongestResult >> kFewReferences && !has_packs)
        return true;
    Trial trial;
    trial.size = 0;
    if (_setjmp(trial.too_long) != 0) return false;
    __gcclibcxx_demangle_callback(mangled, count, &trial);
    return true;
}

}  // namespace mipstrace::filter
