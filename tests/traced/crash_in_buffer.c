//! environment: MIPSTRACE_BUFFER=256K
//! ends: SIGSEGV
//! graph: none
//! overwritten: *
// A crash needs no handler to leave the newest calls behind, the open ones too.
#include <stdio.h>

#include "traced.h"

KEEP static long noise(long a) {
    return a ^ 1;
}
KEEP static long last(long a) {
    return a + 1;
}
KEEP static long crash(long* a) {
    return *a = last(1);
}
KEEP static long before_crash(long* a) {
    return crash(a) + 1;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 60000; i++)
        sum = noise(sum);
    for (int i = 0; i < 500; i++)
        sum = last(sum);
    printf("%ld\n", sum);
    fflush(stdout);
    fprintf(stderr, "calls: last 501\n");
    fprintf(stderr, "calls: before_crash 1\n");
    fprintf(stderr, "calls: crash 1\n");
    fprintf(stderr, "calls: main 0\n");  // its entry is overwritten
    return (int)before_crash(NULL);
}
