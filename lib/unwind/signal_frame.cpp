#include "lib/unwind/signal_frame.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace mipstrace::unwind {

namespace {

constexpr uint32_t kLoadNumber = 0x24020000;  // addiu $2, $0, ..
constexpr uint32_t kSyscall = 0x0000000c;
constexpr unsigned kSp = 29;
constexpr unsigned kFp = 30;
constexpr unsigned kRa = 31;

struct RtSignalFrame {
    uint32_t arguments[4];
    uint32_t unused[2];
    siginfo_t info;
    ucontext_t context;
};
static_assert(sizeof(siginfo_t) == 128);

// Of a handler that wants no siginfo, in the ABI that has two ways.
struct SignalFrame {
    uint32_t arguments[4];
    uint32_t unused[2];
    mcontext_t context;
};

size_t context_offset(uint32_t load) {
#ifdef SYS_sigreturn
    if (load == (kLoadNumber | SYS_sigreturn)) return offsetof(SignalFrame, context);
#endif
    return load == (kLoadNumber | SYS_rt_sigreturn)
               ? offsetof(RtSignalFrame, context) + offsetof(ucontext_t, uc_mcontext)
               : 0;
}

size_t context_behind(uintptr_t address, SafeMemory& memory) {
    uint32_t load;
    uint32_t call;
    if (!memory.read(address, &load) || !memory.read(address + 4, &call) || call != kSyscall)
        return 0;
    return context_offset(load);
}

}  // namespace

bool is_signal_return(uintptr_t address, SafeMemory& memory) {
    return context_behind(address, memory) != 0;
}

bool read_signal_frame(uintptr_t address, uintptr_t sp, SafeMemory& memory, Interrupted* out) {
    const size_t offset = context_behind(address, memory);
    const uintptr_t context = sp + offset;
    const auto reg = [&](unsigned number) {
        return context + offsetof(mcontext_t, gregs) + number * sizeof(greg_t);
    };
    greg_t pc, its_sp, fp, ra;
    if (offset == 0 || !memory.read(context + offsetof(mcontext_t, pc), &pc) ||
        !memory.read(reg(kSp), &its_sp) || !memory.read(reg(kFp), &fp) ||
        !memory.read(reg(kRa), &ra))
        return false;
    *out = {uintptr_t(pc), uintptr_t(its_sp), uintptr_t(fp), uintptr_t(ra)};
    return true;
}

}  // namespace mipstrace::unwind
