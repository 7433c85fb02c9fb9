//! environment: MIPSTRACE_MAX_STACK=16
//! lost: too_deep=99986
// Mutual tail calls are a loop that needs no stack, when optimized. The tracer keeps a frame for
// each, until it has no more; the calls after that are counted and go their way.
#include <stdio.h>

#include "traced.h"

static int odd(int n);
KEEP static int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}
KEEP static int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}
KEEP static int after(int n) {
    return n + 1;
}

int main(void) {
    printf("%d\n", after(even(100000)));
    return 0;
}
