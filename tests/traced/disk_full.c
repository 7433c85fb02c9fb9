//! lost: no_space=*
//! graph: none
//! disk: 4M
// The disk gets full at any point of a recording: it ends there, which is counted and said, and the
// program goes on. What another file leaves of the disk is what the recording of each child finds.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 20000, kStep = 20 * 1024, kSizes = 14 };

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int work(void) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = leaf(sum);
    return sum;
}

static int leave_free(const char* path, unsigned long bytes) {
    static const char block[4096];
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return 0;
    struct statvfs disk;
    while (fstatvfs(fd, &disk) == 0 && disk.f_bfree * disk.f_frsize > bytes) {
        if (write(fd, block, sizeof block) <= 0) break;
    }
    return close(fd) == 0;
}

static int run(void) {
    const pid_t child = fork();
    if (child == 0) _exit(work() + work() != 2 * kCalls);
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}

int main(void) {
    const char* folder = getenv("MIPSTRACE_DATA");
    char filler[PATH_MAX];
    snprintf(filler, sizeof filler, "%s/filler.trace", folder != NULL ? folder : "");
    for (int i = 0; i < kSizes; i++) {
        if (folder != NULL && !leave_free(filler, (unsigned long)i * kStep)) return 1;
        printf("%d: %d\n", i * kStep, run());
    }
    if (folder != NULL) unlink(filler);
    fprintf(stderr,
            "says: no space left on the device: can't (create|write) \\S+, nothing is recorded\n");
    fprintf(stderr,
            "says: no space left on the device: \\S+ can't grow, the recording ends here\n");
    return 0;
}
