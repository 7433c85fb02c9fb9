// A daemon: two forks, another folder, and no descriptor left open, the trace file's neither.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

struct Daemon {
    volatile pid_t pid;
    volatile int result;
};
static struct Daemon* of_daemon;

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
    of_daemon->pid = getpid();
    // Now its own files have the numbers that ours had.
    for (int i = 0; i < 600; i++)
        open("/dev/null", O_RDWR);
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum = serve(sum);
    of_daemon->result = sum == 20000 && write(512, "", 1) == 1 ? 42 : 1;
    _exit(0);
}

int main(void) {
    of_daemon = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid = fork();
    if (pid == 0) started();
    waitpid(pid, NULL, 0);
    // It is nobody's child: qemu-user knows no subreapers.
    while (of_daemon->result == 0 && (of_daemon->pid == 0 || kill(of_daemon->pid, 0) == 0))
        usleep(10000);
    printf("%d\n", of_daemon->result);
    return 0;
}
