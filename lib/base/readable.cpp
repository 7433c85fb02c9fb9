#include "lib/base/readable.h"

#include <errno.h>
#include <sys/mman.h>

#include <algorithm>

#include "lib/base/abi.h"
#include "lib/base/syscall.h"

namespace mipstrace {

namespace {

constexpr uintptr_t kPage = 4096;  // or a multiple of it
constexpr long kNoSuchHow = 0x7ffffff;

bool is_told;

// The kernel copies the set before it looks at what to do with it. At an address that is a multiple
// of its size, a set lies in one page.
long ask(uintptr_t address) {
    const uintptr_t set = address & ~uintptr_t(sizeof(KernelSigset) - 1);
    return raw_syscall(SYS_rt_sigprocmask, kNoSuchHow, reinterpret_cast<void*>(set), nullptr,
                       sizeof(KernelSigset));
}

}  // namespace

bool can_tell_readable() {
    const long none =
        raw_syscall(SYS_mmap, nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (is_error(none)) return false;
    is_told =
        ask(uintptr_t(none)) == -EFAULT && ask(reinterpret_cast<uintptr_t>(&kPage)) == -EINVAL;
    raw_syscall(SYS_munmap, none, kPage);
    return is_told;
}

size_t readable_bytes(uintptr_t address, size_t most) {
    size_t count = 0;
    while (is_told && count < most && address + count >= kPage) {
        const uintptr_t at = address + count;
        if (ask(at) != -EINVAL) break;
        count += std::min(most - count, size_t(kPage - (at & (kPage - 1))));
    }
    return count;
}

}  // namespace mipstrace
