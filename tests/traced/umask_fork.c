//! libc: glibc, because musl has no closefrom
// Whatever a process takes from the files that it makes, its own recording it can open again: the
// descriptor is closed, and the user is one that modes count for.
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 30000 };

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int work(void) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = leaf(sum);
    return sum;
}

int main(void) {
    const char* folder = getenv("MIPSTRACE_DATA");
    if (folder != NULL && geteuid() == 0 && chmod(folder, 0777) != 0) return 1;
    umask(0777);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
            _exit(1);
        const int sum = work();
        closefrom(3);
        _exit(sum + work() != 2 * kCalls);
    }
    int status = 1;
    waitpid(child, &status, 0);
    printf("%d\n", status);
    return 0;
}
