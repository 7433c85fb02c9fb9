#include "lib/base/clock.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <string_view>

namespace mipstrace {

ClockGettime vdso_clock_gettime;

namespace {

uintptr_t find_symbol(uintptr_t base, std::string_view wanted) {
    const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(base + header->e_phoff);
    const ElfW(Dyn)* dynamic = nullptr;
    uintptr_t bias = base;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_DYNAMIC)
            dynamic = reinterpret_cast<const ElfW(Dyn)*>(base + segments[i].p_offset);
        if (segments[i].p_type == PT_LOAD) bias = base + segments[i].p_offset - segments[i].p_vaddr;
    }
    if (dynamic == nullptr) return 0;
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    const uint32_t* hash = nullptr;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t value = bias + dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(value);
        if (dynamic->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(value);
        if (dynamic->d_tag == DT_HASH) hash = reinterpret_cast<const uint32_t*>(value);
    }
    if (symbols == nullptr || names == nullptr || hash == nullptr) return 0;
    for (uint32_t i = 0; i < hash[1]; i++) {  // nchain: as many as symbols
        if (names + symbols[i].st_name == wanted && symbols[i].st_shndx != SHN_UNDEF)
            return bias + symbols[i].st_value;
    }
    return 0;
}

}  // namespace

void find_vdso_clock() {
    if (uintptr_t base = getauxval(AT_SYSINFO_EHDR)) {
        vdso_clock_gettime =
            reinterpret_cast<ClockGettime>(find_symbol(base, "__vdso_clock_gettime"));
    }
}

uint64_t clock_ns(clockid_t id) {
    KeepHiLo keep;
    KernelTimespec now{};
    raw_syscall2(__NR_clock_gettime, static_cast<long>(id), reinterpret_cast<long>(&now));
    uint64_t ns = uint64_t(now.seconds) * 1'000'000'000 + uint64_t(now.nanoseconds);
    asm volatile("" : "+r"(ns));  // as in mono_ns
    return ns;
}

}  // namespace mipstrace
