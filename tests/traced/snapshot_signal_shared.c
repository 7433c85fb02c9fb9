//! environment: MIPSTRACE_BUFFER=256K MIPSTRACE_SNAPSHOT_SIGNAL=WINCH
//! graph: none
//! snapshots: 3
// A program that uses the signal for snapshots itself: what it blocks comes later, what it handles
// or ignores brings no snapshot, and the handler that it puts back takes them again.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 500 };

static volatile int handled;

KEEP static int first(int a) {
    return a + 1;
}
KEEP static int second(int a) {
    return a + 2;
}
KEEP static int third(int a) {
    return a + 3;
}
KEEP static int in_child(int a) {
    return a + 4;
}
KEEP static int in_handler(int a) {
    return a + 1;
}
static void on_signal(int number) {
    (void)number;
    handled = in_handler(handled);
}
KEEP static int phase(int (*step)(int)) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = step(sum);
    return sum;
}

int main(void) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGWINCH);
    int sum = phase(first);
    raise(SIGWINCH);

    sigprocmask(SIG_BLOCK, &only, NULL);
    raise(SIGWINCH);
    sum += phase(second);
    const pid_t child = fork();
    if (child == 0) {
        sum = phase(in_child);
        raise(SIGWINCH);  // stays blocked
        _exit(sum != 4 * kCalls);
    }
    int status = 1;
    waitpid(child, &status, 0);
    sigprocmask(SIG_UNBLOCK, &only, NULL);

    struct sigaction own = {.sa_handler = on_signal}, before;
    sigaction(SIGWINCH, &own, &before);
    raise(SIGWINCH);
    own.sa_handler = SIG_IGN;
    sigaction(SIGWINCH, &own, NULL);
    raise(SIGWINCH);
    sum += phase(third);
    sigaction(SIGWINCH, &before, NULL);
    raise(SIGWINCH);
    printf("%d %d %d\n", sum, status, handled);
    fprintf(stderr, "snapshot 1 calls: first %d\n", kCalls);
    fprintf(stderr, "snapshot 1 calls: second 0\n");
    fprintf(stderr, "snapshot 2 calls: second %d\n", kCalls);
    fprintf(stderr, "snapshot 2 calls: in_handler 0\n");
    fprintf(stderr, "snapshot 3 calls: in_handler 1\n");
    fprintf(stderr, "snapshot 3 calls: third %d\n", kCalls);
    fprintf(stderr, "calls: in_child %d\n", kCalls);
    fprintf(stderr, "calls: in_handler 1\n");
    return 0;
}
