// What the child of a vfork calls, in its parent's memory, is not recorded as the parent's.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

static volatile int in_child;

KEEP static int step(int a) {
    return a + 1;
}
KEEP static void exec_or_end(int a) {
    for (int i = 0; i < 1000; i++)
        in_child = step(in_child);
    char* const words[] = {"sh", "-c", "exit 7", NULL};
    char* const none[] = {NULL};
    if (a != 0) execve("/bin/sh", words, none);
    _exit(8);
}
KEEP static int run(int a) {
    step(a);
    pid_t pid = vfork();
    if (pid == 0) exec_or_end(a);
    step(a);
    int status;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

int main(void) {
    int executed = run(1);
    int ended = run(0);
    printf("%d %d\n", executed, ended);
    return 0;
}
