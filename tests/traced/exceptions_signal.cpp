//! flags: -fnon-call-exceptions
// A signal handler throws: through the kernel's frame into the code that it interrupted, from the
// same stack and from a signal stack.
#include <csignal>
#include <cstdio>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void thrower(int number) {
    if (leaf(number) > 0) throw number;
}
KEEP static void on_signal(int number) {
    thrower(number);
    leaf(number);
}
KEEP static int interrupted(int a) {
    std::raise(a);
    return leaf(a);
}
KEEP static int guarded(int a) {
    try {
        return interrupted(a) + 1;
    } catch (int number) {
        return leaf(number == a);
    }
}

static const int handler_flags[] = {SA_NODEFER, SA_NODEFER | SA_ONSTACK};

int main() {
    static char stack[65536];
    stack_t alternate = {};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    for (int flags : handler_flags) {
        struct sigaction action = {};
        action.sa_handler = on_signal;
        action.sa_flags = flags;
        sigaction(SIGUSR1, &action, nullptr);
        std::printf("%d\n", guarded(SIGUSR1));
        std::printf("%d\n", guarded(SIGUSR1));
    }
    return 0;
}
