//! lost: no_space=*
//! graph: none
// No descriptor is left for the recording once the program has closed ours: the recording ends,
// which is counted and said, and the program goes on.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
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
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    const struct rlimit few = {8, 8};
    setrlimit(RLIMIT_NOFILE, &few);
    int taken = 0;
    while (dup(STDIN_FILENO) >= 0)
        taken++;
    printf("%d calls, %d descriptors\n", work(), taken);
    return 0;
}
