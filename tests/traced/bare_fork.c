//! only: kernel, because qemu-user knows no MADV_WIPEONFORK
// Children that are made by an instruction of the program's own.
#include <signal.h>
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
static inline __attribute__((always_inline)) long bare_clone(void) {
    register long v0 asm("$2") = SYS_clone;
    register long a0 asm("$4") = SIGCHLD;
    register long a1 asm("$5") = 0;
    register long a2 asm("$6") = 0;
    register long a3 asm("$7") = 0;
    register long a4 asm("$8") = 0;
    asm volatile("syscall"
                 : "+r"(v0), "+r"(a3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a4)
                 : "$1", "$3", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo",
                   "memory");
    return v0;
}
KEEP static long forked(void) {
    long pid = bare_clone();
    if (pid == 0) in_child(1);
    return pid;
}

int main(void) {
    in_parent(1);
    long pid = forked();
    if (pid == 0) {
        // exit, not _exit: the child of a child ends with nothing traced before.
        pid = bare_clone();
        if (pid == 0) return 3;
        int status;
        waitpid(pid, &status, 0);
        printf("child %d %d\n", in_child(2), WEXITSTATUS(status));
        fflush(stdout);
        _exit(4);
    }
    int status;
    waitpid(pid, &status, 0);
    printf("parent %d %d\n", in_parent(2), WEXITSTATUS(status));
    return 0;
}
