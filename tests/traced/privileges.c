// A process that gives up what it may: its root directory, its user, its own files under /proc. The
// recording goes on in the file that is open.
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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
    umask(0777);
    const int rooted = geteuid() == 0;  // else it is what everybody is
    if (rooted && (chroot("/proc") != 0 || chdir("/") != 0)) return 1;
    if (rooted && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) return 2;
    prctl(PR_SET_DUMPABLE, 0);
    printf("%d calls\n", work());
    return 0;
}
