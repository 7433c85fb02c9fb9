// The unwind information of trampoline pages, which are copies of code in this library and in no
// object that an unwinder could find: libgcc_s asks for what it knows of an address by this
// function, by way of its own GOT. Copies of libgcc that are linked into a program do not, and end
// at a signal that finds a thread in a page.
#include <cstdint>

#include "lib/patch/trampoline_page.h"
#include "lib/unwind/next_definition.h"
#include "lib/unwind/own_frames.h"

namespace mipstrace::unwind {

namespace {

// As libgcc has it (unwind-dw2-fde.h).
struct Bases {
    void* text;
    void* data;
    void* function;  // where the code that is described begins
};

constinit NextDefinition<const void*(void*, Bases*)> next_find_fde("_Unwind_Find_FDE");

}  // namespace

}  // namespace mipstrace::unwind

using namespace mipstrace;
using namespace mipstrace::unwind;

extern "C" MT_UNWIND_WRAPPER const void* _Unwind_Find_FDE(void* pc, Bases* bases) {
    const auto next = next_find_fde.find();
    if (next == nullptr) return nullptr;
    const uintptr_t at = reinterpret_cast<uintptr_t>(pc);
    const uintptr_t moved = patch::copied_from(at);
    const void* fde = next(reinterpret_cast<void*>(moved), bases);
    if (fde != nullptr && moved != at)
        bases->function = static_cast<char*>(bases->function) + (at - moved);
    return fde;
}
