#include "lib/runtime/signal_actions.h"

#include <signal.h>

#include "lib/base/next_function.h"
#include "lib/base/signal_handler.h"

namespace {

using mipstrace::install_again;
using mipstrace::installed_handler;
using mipstrace::SignalHandler;

using SetAction = int(int, const struct sigaction*, struct sigaction*);
using SetHandler = SignalHandler(int, SignalHandler);

SetAction* next_sigaction;
SetHandler* next_signal;
SetHandler* next_sysv_signal;
SetHandler* next_sigset;

// What the program has set beside the default action, which ours stands for; see signal_handler.h.
struct sigaction defaults[32];

// The program has asked libc for the default action, with `ours` put in its place.
void stand_for_default(int signal) {
    struct sigaction set;
    if (next_sigaction(signal, nullptr, &set) == 0) {
        set.sa_handler = SIG_DFL;
        defaults[signal] = set;
    }
    install_again(signal);
}

SignalHandler set_handler(SetHandler* next, int signal, SignalHandler wanted) {
    const SignalHandler ours = installed_handler(signal);
    if (ours == nullptr) return next(signal, wanted);
    const bool to_default = wanted == SIG_DFL;
    const SignalHandler before = next(signal, to_default ? ours : wanted);
    if (to_default && before != SIG_ERR) stand_for_default(signal);
    return before == ours ? SIG_DFL : before;
}

}  // namespace

// libc's own names, without what <signal.h> says of them.
#define MT_EXPORT extern "C" __attribute__((visibility("default")))
#define MT_NAMED(name) asm(name)

MT_EXPORT int set_action(int signal, const struct sigaction* wanted, struct sigaction* before)
    MT_NAMED("sigaction");
int set_action(int signal, const struct sigaction* wanted, struct sigaction* before) {
    const SignalHandler ours = installed_handler(signal);
    if (ours == nullptr) return next_sigaction(signal, wanted, before);
    const bool to_default = wanted != nullptr && wanted->sa_handler == SIG_DFL;
    const struct sigaction shown = defaults[signal];
    struct sigaction with_ours;
    if (to_default) {
        with_ours = *wanted;
        with_ours.sa_handler = ours;
        wanted = &with_ours;
    }
    const int result = next_sigaction(signal, wanted, before);
    if (result != 0) return result;
    if (to_default) stand_for_default(signal);
    if (before != nullptr && before->sa_handler == ours) *before = shown;
    return 0;
}
MT_EXPORT int set_underscored_action(int, const struct sigaction*, struct sigaction*)
    MT_NAMED("__sigaction") __attribute__((alias("sigaction")));

MT_EXPORT SignalHandler set_bsd(int signal, SignalHandler wanted) MT_NAMED("signal");
SignalHandler set_bsd(int signal, SignalHandler wanted) {
    return set_handler(next_signal, signal, wanted);
}
MT_EXPORT SignalHandler set_named_bsd(int, SignalHandler) MT_NAMED("bsd_signal")
    __attribute__((alias("signal")));
MT_EXPORT SignalHandler set_named_s(int, SignalHandler) MT_NAMED("ssignal")
    __attribute__((alias("signal")));

MT_EXPORT SignalHandler set_sysv(int signal, SignalHandler wanted) MT_NAMED("sysv_signal");
SignalHandler set_sysv(int signal, SignalHandler wanted) {
    return set_handler(next_sysv_signal, signal, wanted);
}
MT_EXPORT SignalHandler set_underscored_sysv(int, SignalHandler) MT_NAMED("__sysv_signal")
    __attribute__((alias("sysv_signal")));

MT_EXPORT SignalHandler set_and_unblock(int signal, SignalHandler wanted) MT_NAMED("sigset");
SignalHandler set_and_unblock(int signal, SignalHandler wanted) {
    return set_handler(next_sigset, signal, wanted);
}

namespace mipstrace::runtime {

void prepare_signal_actions() {
    next_sigaction = next_function<SetAction>("sigaction");
    next_signal = next_function<SetHandler>("signal");
    next_sysv_signal = next_function<SetHandler>("sysv_signal");
    next_sigset = next_function<SetHandler>("sigset");
}

}  // namespace mipstrace::runtime
