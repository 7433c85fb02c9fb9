// A program that closes every descriptor, ours too, as daemons do: it gets the same numbers for its
// own files as ever, nobody else writes into them, and the recording goes on.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 30000, kKept = 100 };  // some chunks are filled meanwhile

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
    dup2(STDOUT_FILENO, kKept);
    for (int fd = 0; fd < 1024; fd++) {
        if (fd != kKept) close(fd);
    }
    const int before = open("/", O_RDONLY);
    const int own = open(".", O_TMPFILE | O_RDWR, 0600);
    const int sum = work();
    struct stat status = {0};
    const int known = fstat(own, &status) == 0;
    const int behind = open("/", O_RDONLY);
    dup2(kKept, STDOUT_FILENO);
    printf("%d, %d, %d, %d calls\n", before, own, behind, sum);
    printf("%d: %ld bytes\n", known, (long)status.st_size);
    return 0;
}
