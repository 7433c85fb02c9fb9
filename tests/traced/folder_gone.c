//! lost: no_space=*
//! graph: none
//! libc: glibc, because musl has no closefrom
// The folder of the recording goes away while the program runs. What has its file open records on;
// who has to open or make one does not, which is said, and the program goes on.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 30000 };

KEEP static int with_file(int a) {
    return a + 1;
}
KEEP static int too_late(int a) {
    return a + 1;
}
KEEP static int without(int a) {
    return a + 1;
}
KEEP static int work(int (*step)(int)) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = step(sum);
    return sum;
}

// Two processes: one whose file was there before, one that begins its own.
static int in_child(int has_file, const char* folder, const char* gone) {
    const pid_t child = fork();
    if (child == 0) {
        int sum = has_file ? work(with_file) : 0;
        if (folder != NULL && rename(folder, gone) != 0) _exit(1);
        if (has_file) sum += work(with_file);
        closefrom(3);
        sum += work(has_file ? too_late : without);
        _exit(sum != (has_file ? 3 : 1) * kCalls);
    }
    int status = 1;
    waitpid(child, &status, 0);
    // Back again, for those who want to read it.
    return status != 0 || (folder != NULL && rename(gone, folder) != 0);
}

int main(void) {
    const char* folder = getenv("MIPSTRACE_DATA");
    char gone[PATH_MAX];
    snprintf(gone, sizeof gone, "%s.gone", folder != NULL ? folder : "");
    printf("%d", in_child(1, folder, gone));
    printf(" %d\n", in_child(0, folder, gone));
    fprintf(stderr, "calls: with_file %d\n", 2 * kCalls);
    fprintf(stderr, "calls: without 0\n");
    fprintf(stderr, "says: no such file or directory: \\S+ can't grow, the recording ends here\n");
    fprintf(stderr, "says: no such file or directory: can't create \\S+, nothing is recorded\n");
    return 0;
}
