#include "lib/base/signal_handler.h"

#include <errno.h>
#include <signal.h>

#include <cstddef>
#include <iterator>

#include "lib/base/block_signals.h"
#include "lib/base/syscall.h"

namespace mipstrace {

namespace {

#ifdef __mips__
// As the kernel has it.
struct Action {
    uint32_t flags = 0;
    void (*handler)(int) = nullptr;
    KernelSigset mask{};
};

int act(int signal, const Action* now, Action* before) {
    return int(-raw_syscall(SYS_rt_sigaction, signal, now, before, sizeof(KernelSigset)));
}

Action make_action(void (*handler)(int), int flags) {
    return {uint32_t(flags), handler, KernelSigset::all()};
}

void (*handler_in(const Action& action))(int) {
    return action.handler;
}
#else
// Elsewhere a handler needs libc's way back.
using Action = struct sigaction;

int act(int signal, const Action* now, Action* before) {
    return sigaction(signal, now, before) == 0 ? 0 : errno;
}

Action make_action(void (*handler)(int), int flags) {
    Action action{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    return action;
}

void (*handler_in(const Action& action))(int) {
    return action.sa_handler;
}
#endif

// Of the signals that have a name, installed before the program starts.
Action installed[32];

}  // namespace

int install_handler(int signal, void (*handler)(int), bool once) {
    const Action action =
        make_action(handler, SA_RESTART | SA_ONSTACK | (once ? int(SA_RESETHAND) : 0));
    const int error = act(signal, &action, nullptr);
    if (error == 0 && size_t(signal) < std::size(installed)) installed[signal] = action;
    return error;
}

SignalHandler installed_handler(int signal) {
    return size_t(signal) < std::size(installed) ? handler_in(installed[signal]) : nullptr;
}

int install_again(int signal) {
    return act(signal, &installed[signal], nullptr);
}

bool is_signal_default(int signal) {
    Action now{};
    return act(signal, nullptr, &now) == 0 && handler_in(now) == SIG_DFL;
}

void raise_signal(int signal) {
    raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), signal);
}

void offer_signal_stack(void* stack, unsigned long size) {
    stack_t now{};
    const stack_t* no_change = nullptr;
    if (raw_syscall(SYS_sigaltstack, no_change, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return;
    stack_t ours{};  // the order of its members is the machine's own
    ours.ss_sp = stack;
    ours.ss_size = size;
    const stack_t* wanted = &ours;
    raw_syscall(SYS_sigaltstack, wanted, nullptr);
}

}  // namespace mipstrace
