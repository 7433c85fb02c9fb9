//! flags: -fno-optimize-sibling-calls -Wno-infinite-recursion
//! environment: MIPSTRACE_MAX_STACK=1000
//! lost: too_deep=*
//! ends: SIGSEGV
// The stack overflows: the program ends by the same signal as without the tracer.
#include <stdio.h>

#include "traced.h"

KEEP static int endless(int n) {
    return endless(n + 1) + n;
}

int main(void) {
    printf("down\n");
    fflush(stdout);
    return endless(0);
}
