//! flags: -Wl,-Ttext-segment=0x50000000
// A program that is linked to where the pages of the sleds would come first, and reaches far.
#include <stdio.h>

#include "traced.h"

static char large[64 << 20];

KEEP static int leaf(int a) {
    return a + 1;
}

int main(void) {
    large[sizeof large - 1] = 1;
    printf("%d\n", leaf(large[sizeof large - 1]));
    return 0;
}
