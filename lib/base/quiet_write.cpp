#include "lib/base/quiet_write.h"

#include <errno.h>
#include <signal.h>

#include "lib/base/block_signals.h"
#include "lib/base/syscall.h"

namespace mipstrace {

long write_quietly(int fd, const char* data, size_t size) {
    BlockSignals quiet;
    KernelSigset pending{};
    raw_syscall(SYS_rt_sigpending, &pending, sizeof pending);
    const long result = raw_syscall(SYS_write, fd, data, size);
    const int sent = result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;
    if (sent == 0) return result;
    if (pending.holds(sent)) return result;  // the program's own
    const KernelSigset set = KernelSigset::of(sent);
    const KernelTimespec at_once{};
    raw_syscall(SYS_rt_sigtimedwait, &set, nullptr, &at_once, sizeof set);
    return result;
}

}  // namespace mipstrace
