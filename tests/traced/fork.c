// The child of a fork has a file of its own, in which the calls that were open end.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int in_child(int a) {
    return a + 1;
}
KEEP static int in_parent(int a) {
    return a + 2;
}
KEEP static pid_t forked(void) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) in_child(1);
    return pid;
}

int main(void) {
    in_parent(1);
    pid_t pid = forked();
    if (pid == 0) {
        printf("child %d\n", in_child(2));
        return 3;
    }
    int status;
    waitpid(pid, &status, 0);
    printf("parent %d %d\n", in_parent(2), WEXITSTATUS(status));
    return 0;
}
