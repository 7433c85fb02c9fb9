// posix_spawn, system and popen: untraced programs leave nothing in the recording.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

// libc calls it by its own name for it, not this one.
KEEP int execve(const char* path, char* const words[], char* const environment[]) {
    (void)path, (void)words, (void)environment;
    return -1;
}
KEEP static int by_spawn(int a) {
    char* words[] = {"sh", "-c", a == 1 ? "exit 1" : "exit 2", NULL};
    pid_t pid;
    int status;
    if (posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ) != 0) return -1;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
KEEP static int by_system(void) {
    int status = system("exit 3");
    return WEXITSTATUS(status);
}
KEEP static int by_popen(void) {
    int number = 0;
    FILE* out = popen("echo 4", "r");
    if (fscanf(out, "%d", &number) != 1) number = -1;
    pclose(out);
    return number;
}

int main(void) {
    int first = by_spawn(1), second = by_spawn(2), third = by_system(), fourth = by_popen();
    printf("%d %d %d %d\n", first, second, third, fourth);
    return 0;
}
