#include "lib/arcs/crash.h"

#include <signal.h>

#include "lib/base/signal_handler.h"

namespace mipstrace::gmon {

namespace {

constexpr int kFatal[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE, SIGABRT, SIGTRAP,
                          SIGSYS,  SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};

// For the main thread: an overflowing stack has no room for a handler.
alignas(16) char stack[32768];

void (*dump_now)();

// The handler is gone by now, so that the signal does what it would have done without us.
void write_and_die(int signal) {
    dump_now();
    raise_signal(signal);
}

}  // namespace

void dump_on_crash(void (*dump)()) {
    dump_now = dump;
    offer_signal_stack(stack, sizeof stack);
    for (int signal : kFatal)
        if (is_signal_default(signal)) install_handler(signal, write_and_die, true);
}

}  // namespace mipstrace::gmon
