// A signal handler forks: the child goes back into the function that the signal interrupted.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

static pid_t child;

KEEP static int step(int a) {
    return a + 1;
}
KEEP static void handler(int number) {
    step(number);
    child = fork();
}
KEEP static int interrupted(int a) {
    raise(SIGUSR1);
    return step(a);
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    int sum = interrupted(40);
    if (child == 0) return step(sum);
    int status;
    waitpid(child, &status, 0);
    printf("%d %d\n", sum, WEXITSTATUS(status));
    return 0;
}
