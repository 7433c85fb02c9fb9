//! environment: MIPSTRACE_BUFFER=256K MIPSTRACE_SNAPSHOT_SIGNAL=WINCH
//! graph: none
//! overwritten: *
//! snapshots: 1
// A child has a buffer of its own, and takes snapshots of that.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static long noise(long a) {
    return a ^ 1;
}
KEEP static long in_parent(long a) {
    return a + 1;
}
KEEP static long in_child(long a) {
    return a + 1;
}
KEEP static long work(long (*step)(long)) {
    long sum = 0;
    for (int i = 0; i < 60000; i++)
        sum = noise(sum);
    for (int i = 0; i < 300; i++)
        sum = step(sum);
    return sum;
}

int main(void) {
    long sum = work(in_parent);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        raise(SIGWINCH);  // nothing is recorded yet
        sum = work(in_child);
        raise(SIGWINCH);
        _exit((int)(sum & 0x7f));
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%ld %d\n", sum, WEXITSTATUS(status));
    fprintf(stderr, "calls: in_parent 300\n");
    fprintf(stderr, "calls: in_child 300\n");
    fprintf(stderr, "snapshot 1 calls: in_parent 0\n");
    fprintf(stderr, "snapshot 1 calls: in_child 300\n");
    return 0;
}
