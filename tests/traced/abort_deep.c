//! ends: SIGABRT
// abort from inside three calls: what was recorded until then is there.
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int inner(int a) {
    if (leaf(a) == 5) abort();
    return a;
}
KEEP static int outer(int a) {
    const int before = inner(a);
    return before + inner(a + 1) + 1;
}

int main(void) {
    printf("going down\n");
    fflush(stdout);
    return outer(3);
}
