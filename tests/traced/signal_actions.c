//! flags: -Wno-deprecated-declarations
//! graph: none
//! record: --buffer=1M --snapshot-signal=USR2 --toggle-signal=USR1
//! snapshots: 2
//! libc: glibc, because musl has no ssignal or sysv_signal
// A program that asks what is done at each signal, by every function that tells, sees nothing of
// the tracer's handlers. Those are there where the program has put back what it found.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traced.h"

typedef void (*Handler)(int);

static volatile int handled;

KEEP static void own_handler(int signal) {
    handled += signal;
}

static void print_action(int signal) {
    struct sigaction action;
    memset(&action, 1, sizeof action);
    sigaction(signal, NULL, &action);
    if (action.sa_handler != SIG_DFL || action.sa_flags != 0)
        printf("%d: %d %x\n", signal, action.sa_handler == SIG_IGN, (unsigned)action.sa_flags);
}

static void set_by(const char* name, Handler set(int, Handler), int signal) {
    const Handler found = set(signal, own_handler);
    raise(signal);
    const Handler own = set(signal, found);
    print_action(signal);
    printf("%s %d %d\n", name, found == SIG_DFL, own == own_handler || own == SIG_DFL);
}

int main(void) {
    for (int signal = 1; signal < 32; signal++)
        print_action(signal);
    static const int chosen[] = {SIGUSR2, SIGUSR1, SIGURG, SIGTERM};
    for (int i = 0; i < 4; i++) {
        set_by("signal", signal, chosen[i]);
        set_by("ssignal", ssignal, chosen[i]);
        set_by("sysv_signal", sysv_signal, chosen[i]);
        set_by("sigset", sigset, chosen[i]);
        struct sigaction own = {.sa_handler = own_handler}, found;
        sigaction(chosen[i], &own, &found);
        raise(chosen[i]);
        printf("sigaction %d", found.sa_handler == SIG_DFL);
        sigaction(chosen[i], &found, &own);
        printf(" %d %d\n", own.sa_handler == own_handler, handled);
    }
    fflush(stdout);
    if (getenv("MIPSTRACE_DATA") != NULL) {  // else it would be the end
        raise(SIGUSR2);
        signal(SIGUSR2, SIG_IGN);
        raise(SIGUSR2);
        signal(SIGUSR2, SIG_DFL);
        raise(SIGUSR2);
    }
    return 0;
}
