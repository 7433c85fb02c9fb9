// Children that are made by system calls, past libc's fork() and its handlers.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int in_child(int a) {
    return a + 1;
}
KEEP static int in_parent(int a) {
    return a + 2;
}
KEEP static long by_fork(void) {
    return syscall(SYS_fork);
}
KEEP static long by_clone(void) {
    return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
KEEP static long by_clone3(void) {
    // The first version of struct clone_args; exit_signal is its fifth word.
    uint64_t arguments[8] = {0, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, sizeof arguments);
    return pid < 0 && errno == ENOSYS ? syscall(SYS_fork) : pid;
}

KEEP static void check(const char* how, long (*make_child)(void)) {
    in_parent(1);
    long pid = make_child();
    if (pid == 0) _exit(in_child(in_child(40)));
    int status;
    waitpid(pid, &status, 0);
    printf("%s: %d %d\n", how, in_parent(2), WEXITSTATUS(status));
}

int main(void) {
    check("fork", by_fork);
    check("clone", by_clone);
    check("clone3", by_clone3);
    return 0;
}
