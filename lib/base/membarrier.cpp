#include "lib/base/membarrier.h"

#include <errno.h>

#include <atomic>

#include "lib/base/syscall.h"

namespace mipstrace {

namespace {

// <linux/membarrier.h>, which older systems lack.
constexpr int kPrivateExpedited = 1 << 3;
constexpr int kRegisterPrivateExpedited = 1 << 4;
#ifdef SYS_membarrier
constexpr long kNumber = SYS_membarrier;
#elif _MIPS_SIM == _ABIO32
constexpr long kNumber = 4358;
#elif _MIPS_SIM == _ABI64
constexpr long kNumber = 5318;
#else
constexpr long kNumber = 6322;
#endif

long membarrier(int command) {
    return raw_syscall(kNumber, command, 0, 0);
}

}  // namespace

bool prepare_barrier_in_all_threads() {
    return membarrier(kRegisterPrivateExpedited) == 0;
}

void barrier_in_all_threads() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    long result = membarrier(kPrivateExpedited);
    if (result == -EPERM && prepare_barrier_in_all_threads())
        result = membarrier(kPrivateExpedited);
    if (result == 0) return;
    const long time[2] = {0, 10'000'000};  // the kernel's struct timespec of this ABI
    raw_syscall(SYS_nanosleep, &time, nullptr);
}

}  // namespace mipstrace
