//! flags: -fno-optimize-sibling-calls
//! environment: MIPSTRACE_MAX_STACK=64
//! lost: too_deep=9938
// More open calls than the tracer keeps: the deeper ones are counted, and the program goes on.
#include <stdio.h>

#include "traced.h"

KEEP static int down(int n) {
    return n == 0 ? 0 : down(n - 1) + 1;
}

int main(void) {
    printf("%d\n", down(10000));
    printf("%d\n", down(10));
    return 0;
}
