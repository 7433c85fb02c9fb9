//! only: kernel, because qemu-user refuses such a clone
// Two tasks that run at once with the data of one thread: nothing tells them apart, so the tracing
// ends, and the program does not notice.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kStack = 128 * 1024, kCalls = 100000 };
static volatile int theirs;

KEEP static int step(int a) {
    return a + 1;
}
KEEP static int task(void* argument) {
    (void)argument;
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = step(sum);
    theirs = sum;
    return 3;
}
KEEP static int run(void) {
    static char stack[kStack] __attribute__((aligned(16)));
    int status, sum = step(0);
    pid_t pid = clone(task, stack + kStack, CLONE_VM | SIGCHLD, NULL);
    for (int i = 1; i < kCalls; i++)
        sum = step(sum);
    waitpid(pid, &status, 0);
    printf("%d %d %d\n", sum, theirs, WEXITSTATUS(status));
    return step(0);
}

int main(void) {
    return run() - 1;
}
