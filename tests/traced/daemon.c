// A daemon: two forks, another folder, and no descriptor left open, the trace file's neither.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int serve(int a) {
    return a + 1;
}
KEEP static void close_all(void) {
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
}
KEEP static void become_daemon(void) {
    if (fork() != 0) _exit(0);
    setsid();
    if (fork() != 0) _exit(0);
    umask(0);
    if (chdir("/") != 0) _exit(1);
    close_all();
}
KEEP static void started(void) {
    become_daemon();
    // Now its own files have the numbers that ours had.
    for (int i = 0; i < 600; i++)
        open("/dev/null", O_RDWR);
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum = serve(sum);
    _exit(sum == 20000 && write(512, "", 1) == 1 ? 42 : 1);
}

int main(void) {
    // The daemon becomes a child of this process when its parent ends.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) started();
    int status, last = 0;
    while (wait(&status) > 0)
        if (WEXITSTATUS(status) != 0) last = WEXITSTATUS(status);
    printf("%d\n", last);
    return 0;
}
