#include "lib/callarc/crash.h"

#include <mipstrace/callarc.h>
#include <signal.h>

namespace mipstrace::callarc {

namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE, SIGABRT, SIGTRAP,
                          SIGSYS,  SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};

// For the main thread: an overflowing stack has no room for a handler.
alignas(16) char stack[32768];

// The handler is gone by now, so that the signal does what it would have done without us.
void write_and_die(int signal, siginfo_t*, void*) {
    callarc_dump();
    raise(signal);
}

}  // namespace

void dump_on_crash() {
    stack_t now;
    stack_t ours{};  // the order of its members is the machine's own
    ours.ss_sp = stack;
    ours.ss_size = sizeof stack;
    if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&ours, nullptr);
    for (int signal : kFatal) {
        struct sigaction before;
        if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
        struct sigaction action {};
        action.sa_sigaction = write_and_die;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
        sigfillset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace mipstrace::callarc
