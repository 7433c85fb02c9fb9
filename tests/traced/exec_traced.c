//! ends: 5
//! pg: none, because glibc's profiling timer outlives an exec, and ends a program without handler
//! only: binfmt, because the kernel that runs it must start MIPS programs
// A traced program execs itself: in place, from deep, and in a child.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

static char* self;

KEEP static void exec_as(const char* role) {
    char* const words[] = {self, (char*)role, NULL};
    execv(self, words);
    _exit(100);
}
KEEP static void deep(int depth, const char* role) {
    if (depth > 0)
        deep(depth - 1, role);
    else
        exec_as(role);
    asm volatile("");  // no jump instead of a call
}
KEEP static int second(void) {
    return 5;
}
KEEP static int third(void) {
    return 6;
}
KEEP static void first(void) {
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) exec_as("third");
    waitpid(pid, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    fflush(stdout);
    deep(3, "second");
}

int main(int argc, char** argv) {
    self = argv[0];
    if (argc == 1) first();
    return strcmp(argv[1], "second") == 0 ? second() : third();
}
