#include "lib/patch/trampoline_page.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/mips/insn.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::patch {

namespace {

constexpr uintptr_t kAlignment = 0x10000;
// Away from where programs, their heaps and the dynamic linker like to be.
constexpr uintptr_t kFirst = 0x50000000;
constexpr uintptr_t kLast = 0x7fff0000;
constexpr uintptr_t kLowest = 0x10000000;

void* map_low_page(size_t size) {
    for (uintptr_t at = kFirst; at <= kLast; at += kAlignment) {
        void* page = map_pages_at(at, size);
        if (page != nullptr) return page;
    }
    for (uintptr_t at = kFirst; at >= kLowest; at -= kAlignment) {
        void* page = map_pages_at(at, size);
        if (page != nullptr) return page;
    }
    return nullptr;
}

void put_pointer(char* page, int offset, uintptr_t value) {
    *reinterpret_cast<uintptr_t*>(page + offset) = value;
}

}  // namespace

uint32_t make_trampoline_page(const TrampolineTargets& targets, uintptr_t bias) {
    using namespace mips;
    const size_t size = size_t(sysconf(_SC_PAGESIZE));
    char* page = static_cast<char*>(map_low_page(size));
    if (page == nullptr) return 0;
    const uint32_t address = uint32_t(reinterpret_cast<uintptr_t>(page));
    auto* code = reinterpret_cast<uint32_t*>(page + TRAMPOLINE_PAGE_CODE);
    *code++ = lui(r12, uint16_t(address >> 16));
    *code++ = load_pointer(r14, TRAMPOLINE_PAGE_CALLER, r12);
    *code++ = jr(r14);
    *code++ = load_pointer(r13, TRAMPOLINE_PAGE_BIAS, r12);
    put_pointer(page, TRAMPOLINE_PAGE_CALLER, reinterpret_cast<uintptr_t>(targets.caller));
    put_pointer(page, TRAMPOLINE_PAGE_HANDLERS, reinterpret_cast<uintptr_t>(targets.handlers));
    put_pointer(page, TRAMPOLINE_PAGE_BIAS, bias);
    if (mprotect(page, size, PROT_READ | PROT_EXEC) != 0) {
        const int reason = errno;
        munmap(page, size);
        errno = reason;
        return 0;
    }
    __builtin___clear_cache(page, page + TRAMPOLINE_PAGE_USED);
    return address;
}

bool change_bias(uint32_t page, uintptr_t bias) {
    const size_t size = size_t(sysconf(_SC_PAGESIZE));
    char* at = reinterpret_cast<char*>(uintptr_t(page));
    if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0) return false;
    put_pointer(at, TRAMPOLINE_PAGE_BIAS, bias);
    return mprotect(at, size, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace mipstrace::patch
