//! before: exec 0<&- 1>&- 2>&-
// Descriptors 0 to 2 are closed at the start: the program gets them for its own files, and nobody
// else writes there.
#define _GNU_SOURCE
#include <fcntl.h>
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
    struct stat status;
    for (int fd = 0; fd < 3; fd++) {
        if (open(".", O_TMPFILE | O_RDWR, 0600) != fd) return 1 + fd;
    }
    if (work() != kCalls) return 4;
    for (int fd = 0; fd < 3; fd++) {
        if (fstat(fd, &status) != 0 || status.st_size != 0) return 5 + fd;
    }
    return 0;
}
