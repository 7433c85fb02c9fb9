// The child of a vfork is not recorded as the parent, nor does it disturb its recording.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int step(int a) {
    return a + 1;
}

int main(void) {
    step(1);
    pid_t pid = vfork();
    if (pid == 0) _exit(7);
    int status;
    waitpid(pid, &status, 0);
    printf("%d %d\n", WEXITSTATUS(status), step(2));
    return 0;
}
