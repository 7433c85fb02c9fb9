//! graph: none
// Forks by a timer's handler, at whatever instruction of the tracer it comes: each child goes back
// there, makes calls and ends.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kChildren = 60 };
static volatile int children, is_child;
static volatile pid_t pids[kChildren];

KEEP static unsigned step(unsigned a) {
    return a + 1;
}
KEEP static void on_alarm(int number) {
    if (is_child || children == kChildren) return;
    pid_t pid = fork();
    if (pid == 0)
        is_child = number;
    else if (pid > 0)
        pids[children++] = pid;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 3001}, {0, 3001}};
    setitimer(ITIMER_REAL, &often, NULL);
    unsigned sum = 0;
    while (children < kChildren && !is_child)
        sum = step(sum);
    if (is_child) {
        unsigned before = sum;
        for (int i = 0; i < 1000; i++)
            sum = step(sum);
        _exit(sum - before == 1000 ? 42 : 1);
    }
    struct itimerval never = {0};
    setitimer(ITIMER_REAL, &never, NULL);
    int good = 0;
    for (int i = 0; i < kChildren; i++) {
        int status;
        waitpid(pids[i], &status, 0);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 42;
    }
    printf("%d of %d\n", good, children);
    return 0;
}
