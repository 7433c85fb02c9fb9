//! ends: 5
// exit from inside three calls; what runs at exit is traced.
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void at_exit(void) {
    printf("at exit %d\n", leaf(1));
}
KEEP static int inner(int a) {
    if (leaf(a) == 5) exit(leaf(a));
    return a;
}
KEEP static int outer(int a) {
    const int before = inner(a);
    return before + inner(a + 1) + 1;
}

int main(void) {
    atexit(at_exit);
    return outer(3);
}
