#include "lib/patch/code_patcher.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace::patch {

namespace {

// Sites closer than this share one change of protection and one flush.
constexpr uintptr_t kJoin = 256 * 1024;

#if defined(__mips__) && _MIPS_SIM == _ABIO32
constexpr bool kIsO32 = true;
#else
constexpr bool kIsO32 = false;
#endif

// A module's text in memory.
mcount::Code code_of(const Module& module) {
    return {reinterpret_cast<const unsigned char*>(module.text_start), module.text_start,
            module.text_size, false, kIsO32};
}

uint32_t count_words(const Module& module, const Site& site) {
    return site.kind == SiteKind::call
               ? mcount::count_call_words(code_of(module), module.text_start + site.offset)
               : mips::kSledWords;
}

// Calls `patch(text, site)` for each sled that `wants` it, with text that can be written there.
template <typename Wants, typename Patch>
void patch_sleds(Module& module, Wants&& wants, Patch&& patch) {
    for (size_t i = 0; i < module.site_count;) {
        if (!wants(module.sites[i])) {
            i++;
            continue;
        }
        size_t last = i;
        for (size_t j = i + 1; j < module.site_count; j++) {
            if (!wants(module.sites[j])) continue;
            if (module.sites[j].offset - module.sites[last].offset > kJoin) break;
            last = j;
        }
        WritableText text(module.text_protection, module.text_start + module.sites[i].offset,
                          module.text_start + module.sites[last].offset + mips::kSledBytes);
        for (; i <= last; i++) {
            if (wants(module.sites[i])) patch(text, module.sites[i]);
        }
    }
}

// False where the file shows other memory at our addresses: that of an emulator.
bool is_own_memory(int fd) {
    volatile uintptr_t here = reinterpret_cast<uintptr_t>(&here);
    uintptr_t there = 0;
    return pread(fd, &there, sizeof there, off_t(here)) == ssize_t(sizeof there) && there == here;
}

void make_sled(Module& module, Site& site, WritableText& text) {
    if (!text.ok()) {
        site.state = SiteState::refused;
        return;
    }
    volatile uint32_t* words = module.words(site);
    const uint32_t count = count_words(module, site);
    if (count < mips::kSledWords) {
        site.state = SiteState::unexpected;  // it has changed since it was read
        return;
    }
    text.write(words + mips::kUsersWord, mips::sled_users_word(0));
    text.write(words + mips::kPageWord, mips::sled_page_word(module.page_of(site)));
    if (site.kind == SiteKind::sled) return;
    for (uint32_t i = 0; i < count; i++) {
        if (i != mips::kUsersWord && i != mips::kPageWord) text.write(words + i, mips::kNop);
    }
}

}  // namespace

WritableText::WritableText(int protection, uintptr_t begin, uintptr_t end)
    : begin_(begin), end_(end), protection_(protection) {
    const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
    page_begin_ = begin & ~(page - 1);
    page_end_ = (end + page - 1) & ~(page - 1);
    // Executable all along: other threads, or this very code's callers, may be running there.
    if (mprotect(reinterpret_cast<void*>(page_begin_), page_end_ - page_begin_,
                 PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        mode_ = Mode::protection;
        return;
    }
    fd_ = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    if (fd_ < 0 || !is_own_memory(fd_)) return;
    // Writing back what is there tells whether it works, and changes nothing.
    uint32_t word = *reinterpret_cast<volatile uint32_t*>(begin);
    if (pwrite(fd_, &word, sizeof word, off_t(begin)) == ssize_t(sizeof word))
        mode_ = Mode::memory_file;
}

WritableText::~WritableText() {
    if (mode_ != Mode::refused)
        __builtin___clear_cache(reinterpret_cast<char*>(begin_), reinterpret_cast<char*>(end_));
    if (mode_ == Mode::protection)
        mprotect(reinterpret_cast<void*>(page_begin_), page_end_ - page_begin_, protection_);
    if (fd_ >= 0) close(fd_);
}

void WritableText::write(volatile uint32_t* at, uint32_t word) {
    if (mode_ == Mode::protection) {
        __atomic_store_n(at, word, __ATOMIC_RELAXED);
        // Words of one sled reach other CPUs in the order in which they are written.
        std::atomic_thread_fence(std::memory_order_seq_cst);
    } else if (pwrite(fd_, &word, sizeof word, off_t(reinterpret_cast<uintptr_t>(at))) < 0) {
        LogLine() << "a write to /proc/self/mem was refused, a function keeps its old state";
    }
}

void make_ready(Module& module) {
    Site* end = module.sites + module.site_count;
    const auto is_wanted = [](const Site& site) { return is_traced(site.state); };
    if (std::any_of(module.sites, end, is_wanted)) {
        // The whole text: to the kernel, pages that were ever writable differ from others, and the
        // mapping would stay in pieces.
        WritableText text(module.text_protection, module.text_start,
                          module.text_start + module.text_size);
        for (Site* site = module.sites; site != end; site++) {
            if (is_wanted(*site)) make_sled(module, *site, text);
        }
    }
    for (size_t i = 0; i < module.site_count; i++)
        module.by_state[size_t(module.sites[i].state)]++;
}

void set_users(Module& module, UsersOf users_of, void* context) {
    auto wants = [&](const Site& site) {
        return is_traced(site.state) && users_of(site, context) != site.users;
    };
    patch_sleds(module, wants, [&](WritableText& text, Site& site) {
        volatile uint32_t* words = module.words(site);
        const mips::SledWords now = mips::match_sled(mips::read_sled(words), module.page_of(site));
        if (!text.ok() || (now != mips::SledWords::ready_off && now != mips::SledWords::ready_on))
            return;
        const uint16_t users = users_of(site, context);
        // A sled that is switched on already holds its users; one that is off holds none, since
        // the core looks again at what stands there. One with a page of its own stays on.
        const bool on = users != 0 || site.is_direct;
        if (on) text.write(words + mips::kUsersWord, mips::sled_users_word(users));
        if (on != (now == mips::SledWords::ready_on))
            text.write(words + mips::kSwitchWord, mips::sled_switch_word(on));
        if (!on) text.write(words + mips::kUsersWord, mips::sled_users_word(0));
        site.users = users;
    });
}

}  // namespace mipstrace::patch
