//! ends: SIGSEGV
// A crash in the middle of calls.
#include <stdio.h>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int load(volatile int* at) {
    const int loaded = *at;
    return loaded + leaf(1);
}
KEEP static int middle(int a) {
    return load((volatile int*)(long)leaf(a)) + 1;
}

int main(void) {
    printf("%d\n", leaf(1));
    fflush(stdout);
    return middle(7);
}
