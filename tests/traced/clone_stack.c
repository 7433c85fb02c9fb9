//! libc: glibc, because it crashes there untraced
// clone() with a stack of the child's own: a copy of the memory is followed, a child in the
// parent's memory, for which the parent waits, is not recorded.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kStack = 128 * 1024 };

KEEP static int step(int a) {
    return a + 1;
}
KEEP static int copy(void* argument) {
    return step(step(*(int*)argument));
}
KEEP static int guest(void* argument) {
    return step(step(*(int*)argument));
}
KEEP static int run(int (*function)(void*), int flags) {
    static char stack[kStack] __attribute__((aligned(16)));
    int argument = step(40), status;
    pid_t pid = clone(function, stack + kStack, flags | SIGCHLD, &argument);
    step(0);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

int main(void) {
    int first = run(copy, 0);
    int second = run(guest, CLONE_VM | CLONE_VFORK);
    int wrong = clone(NULL, NULL, SIGCHLD, NULL);
    printf("%d %d %d\n", first, second, wrong);
    return 0;
}
