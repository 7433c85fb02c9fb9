#include "lib/patch/trampoline_page.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "lib/base/arena.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::patch {

namespace {

constexpr uintptr_t kAlignment = 0x10000;
// Away from where programs, their heaps and the dynamic linker like to be.
constexpr uintptr_t kFirst = 0x50000000;
constexpr uintptr_t kLast = 0x7fff0000;
constexpr uintptr_t kLowest = 0x10000000;

// One bit for each place where a page may be: it is one.
std::atomic<uint8_t> pages[(kLast / kAlignment + 1) / 8 + 1];

Gate gate_in_use = Gate::light;

size_t page_size() {
    return size_t(sysconf(_SC_PAGESIZE));
}

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

// What the page's code loads, and what is needed to change its gate.
struct PageLiterals {
    const void* caller;
    const void* handlers;
    uintptr_t bias;
    const void* recorder;
    const void* frames;
    const void* data;
    const void* saved;
    uintptr_t source;    // what its code is a copy of
    uint32_t code_size;  // bytes
    uint32_t gate;       // offset of its word
    uint32_t gate_words[size_t(Gate::count_)];
};
static_assert(offsetof(PageLiterals, caller) + TRAMPOLINE_PAGE_LITERALS == TRAMPOLINE_PAGE_CALLER);
static_assert(offsetof(PageLiterals, handlers) + TRAMPOLINE_PAGE_LITERALS ==
              TRAMPOLINE_PAGE_HANDLERS);
static_assert(offsetof(PageLiterals, bias) + TRAMPOLINE_PAGE_LITERALS == TRAMPOLINE_PAGE_BIAS);
static_assert(offsetof(PageLiterals, recorder) + TRAMPOLINE_PAGE_LITERALS ==
              TRAMPOLINE_PAGE_RECORDER);
static_assert(offsetof(PageLiterals, frames) + TRAMPOLINE_PAGE_LITERALS == TRAMPOLINE_PAGE_FRAMES);
static_assert(offsetof(PageLiterals, data) + TRAMPOLINE_PAGE_LITERALS == TRAMPOLINE_PAGE_DATA);
static_assert(offsetof(PageLiterals, saved) + TRAMPOLINE_PAGE_LITERALS == TRAMPOLINE_PAGE_SAVED);

PageLiterals& literals_of(char* page) {
    return *reinterpret_cast<PageLiterals*>(page + TRAMPOLINE_PAGE_LITERALS);
}

uint32_t branch(const uint32_t* from, const uint32_t* to) {
    return mips::b(int16_t(to - from - 1));
}

// Where the offset of this_thread does not fit, all calls go the general way.
void write_page(char* page, const TrampolineTargets& targets, const PageUse& use) {
    const bool at_call = use.frames != nullptr;
    const PageCode& code = uint32_t(use.bias) == 0 ? *targets.without_bias : *targets.with_bias;
    auto* words = reinterpret_cast<uint32_t*>(page);
    const size_t count = size_t(code.end - code.begin);
    memcpy(words, code.begin, count * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        if (mips::is_lui_of_0(words[i]))
            words[i] |= uint32_t(reinterpret_cast<uintptr_t>(page) >> 16);
    }
    const bool has_ways =
        !at_call && targets.saved != nullptr &&
        put_thread_offset(words, words + count, targets.thread,
                          [&](const uint32_t* at, uint32_t word) { words[at - words] = word; });
    PageLiterals& literals = literals_of(page);
    literals = {at_call ? targets.at_call : targets.at_sled,
                targets.handlers,
                use.bias,
                targets.recorder,
                use.frames,
                use.data,
                targets.saved,
                reinterpret_cast<uintptr_t>(code.begin),
                uint32_t(count * sizeof *words),
                0,
                {}};
    if (code.gate == nullptr) return;
    if (targets.needs_sync) words[code.mark - code.begin] = branch(code.mark, code.mark_sync);
    uint32_t* gate = words + (code.gate - code.begin);
    const uint32_t to_general = branch(code.gate, code.general);
    literals.gate = uint32_t((code.gate - code.begin) * ptrdiff_t(sizeof *gate));
    literals.gate_words[size_t(Gate::light)] =
        has_ways ? branch(code.gate, code.light) : to_general;
    literals.gate_words[size_t(Gate::recorder)] = has_ways ? *gate : to_general;
    literals.gate_words[size_t(Gate::check)] =
        has_ways ? branch(code.gate, code.check) : to_general;
    *gate = literals.gate_words[size_t(gate_in_use)];
}

}  // namespace

uint32_t make_trampoline_page(const TrampolineTargets& targets, const PageUse& use) {
    char* page = static_cast<char*>(map_low_page(page_size()));
    if (page == nullptr) return 0;
    const uint32_t address = uint32_t(reinterpret_cast<uintptr_t>(page));
    if (give_trampoline_page(address, targets, use)) {
        pages[address / kAlignment / 8] |= uint8_t(1u << address / kAlignment % 8);
        return address;
    }
    const int reason = errno;
    munmap(page, page_size());
    errno = reason;
    return 0;
}

bool give_trampoline_page(uint32_t address, const TrampolineTargets& targets, const PageUse& use) {
    char* page = reinterpret_cast<char*>(uintptr_t(address));
    if (mprotect(page, page_size(), PROT_READ | PROT_WRITE) != 0) return false;
    write_page(page, targets, use);
    if (mprotect(page, page_size(), PROT_READ | PROT_EXEC) != 0) return false;
    __builtin___clear_cache(page, page + TRAMPOLINE_PAGE_LITERALS);
    return true;
}

uintptr_t copied_from(uintptr_t address) {
    const uintptr_t place = address / kAlignment;
    if (address > kLast + kAlignment || (pages[place / 8] >> place % 8 & 1) == 0) return address;
    const uintptr_t offset = address % kAlignment;
    const PageLiterals& literals = literals_of(reinterpret_cast<char*>(address - offset));
    return offset < literals.code_size ? literals.source + offset : address;
}

bool set_gate(SiteTable& table, Gate gate) {
    gate_in_use = gate;
    bool all = true;
    for (size_t m = 0; m < table.size(); m++) {
        if (table[m].page == 0) continue;
        char* page = reinterpret_cast<char*>(uintptr_t(table[m].page));
        const PageLiterals& literals = literals_of(page);
        const uintptr_t at = uintptr_t(table[m].page) + literals.gate;
        WritableText text(PROT_READ | PROT_EXEC, at, at + sizeof(uint32_t));
        if (text.ok())
            text.write(reinterpret_cast<volatile uint32_t*>(at), literals.gate_words[size_t(gate)]);
        all = all && text.ok();
    }
    return all;
}

}  // namespace mipstrace::patch
