#include "lib/patch/loader_hook.h"

#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"
#include "lib/patch/link_namespaces.h"

extern "C" {
// In trampoline/, see there.
__attribute__((visibility("hidden"))) void loader_hook_entry();
__attribute__((visibility("hidden"))) void loader_hook_event();
// The top of the stack that this runs on. The dynamic linker's lock admits one thread.
__attribute__((visibility("hidden"))) void* loader_hook_stack;
}

namespace mipstrace::patch {

namespace {

constexpr uintptr_t kRegion = uintptr_t(1) << 28;  // that a j stays in
constexpr uintptr_t kStep = 0x10000;

// Demangling takes more than the smallest stacks have.
constexpr size_t kStackBytes = 2 * 1024 * 1024;
constexpr size_t kTopOfStack = 64;  // for callees' arguments, where an ABI wants room for them

void (*loader_handler)(LoaderState);

void* make_stack(size_t page_size) {
    char* stack = static_cast<char*>(map_pages(kStackBytes));
    if (stack == nullptr) return nullptr;
    mprotect(stack, page_size, PROT_NONE);
    return stack + kStackBytes - kTopOfStack;
}

// A page that a j at `from` reaches, a bc at `from` if `compact`, or null.
char* map_page_near(uintptr_t from, size_t size, bool compact) {
    const uintptr_t behind = from + sizeof(uint32_t);
    const uintptr_t low = compact ? behind - kRegion / 2 : behind & ~(kRegion - 1);
    const uintptr_t middle = from & ~(kStep - 1);
    // From the dynamic linker's place outwards, not to split what is large and free.
    for (uintptr_t distance = kStep; distance < kRegion; distance += kStep) {
        for (uintptr_t at : {middle + distance, middle - distance}) {
            if (at - low >= kRegion) continue;
            void* page = map_pages_at(at, size);
            if (page != nullptr) return static_cast<char*>(page);
        }
    }
    return nullptr;
}

// $1 := target, which is all that it changes; jump there.
uint32_t* write_far_jump(uint32_t* code, uintptr_t target) {
    using namespace mips;
    if (sizeof(uintptr_t) == 8) {
        *code++ = lui(at, uint16_t(uint64_t(target) >> 48));
        *code++ = ori(at, at, uint16_t(uint64_t(target) >> 32));
        *code++ = dsll(at, at, 16);
        *code++ = ori(at, at, uint16_t(target >> 16));
        *code++ = dsll(at, at, 16);
    } else {
        *code++ = lui(at, uint16_t(target >> 16));
    }
    *code++ = ori(at, at, uint16_t(target));
    *code++ = jr(at);
    *code++ = kNop;
    return code;
}

// The empty function, as compilers write it for R6: there is no delay slot, and what lies behind is
// another function's.
bool is_compact_empty_function(const volatile uint32_t* words) {
    return words[0] == mips::kCompactReturn;
}
// As they write it otherwise.
bool is_empty_function(const volatile uint32_t* words) {
    constexpr uint32_t kOldJumpToRa = 0x03e00008;  // jr $31, before R6
    return (words[0] == kOldJumpToRa || words[0] == mips::jr(mips::ra)) && words[1] == mips::kNop;
}

bool any_namespace_is(decltype(r_debug::RT_ADD) state) {
    const LinkNamespace* space = &program_namespace();
    for (; space != nullptr; space = next_namespace(space)) {
        if (space->base.r_state == state) return true;
    }
    return false;
}

}  // namespace

bool hook_loader(void (*handler)(LoaderState)) {
    auto* words = reinterpret_cast<volatile uint32_t*>(program_namespace().base.r_brk);
    if (words == nullptr) return false;
    const bool compact = is_compact_empty_function(words);
    if (!compact && !is_empty_function(words)) return false;
    const size_t size = size_t(sysconf(_SC_PAGESIZE));
    const uintptr_t from = reinterpret_cast<uintptr_t>(words);
    loader_hook_stack = make_stack(size);
    char* page = map_page_near(from, size, compact);
    if (page == nullptr || loader_hook_stack == nullptr) return false;
    auto* code = reinterpret_cast<uint32_t*>(page);
    char* end = reinterpret_cast<char*>(
        write_far_jump(code, reinterpret_cast<uintptr_t>(&loader_hook_entry)));
    if (mprotect(page, size, PROT_READ | PROT_EXEC) == 0) {
        __builtin___clear_cache(page, end);
        loader_handler = handler;
        WritableText text(PROT_READ | PROT_EXEC, from, from + 2 * sizeof(uint32_t));
        if (text.ok()) {
            // One word: who is there meanwhile runs the old one or the new one.
            const uintptr_t to = reinterpret_cast<uintptr_t>(page);
            text.write(words, compact ? mips::bc(int32_t(to - from) / 4 - 1) : mips::j(to));
            return true;
        }
    }
    unmap_pages(page, size);
    return false;
}

}  // namespace mipstrace::patch

extern "C" void loader_hook_event() {
    using namespace mipstrace::patch;
    // The dynamic linker's lock admits one change, in one namespace.
    loader_handler(any_namespace_is(r_debug::RT_DELETE) ? LoaderState::deleting
                   : any_namespace_is(r_debug::RT_ADD)  ? LoaderState::adding
                                                        : LoaderState::consistent);
}
