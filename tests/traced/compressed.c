//! pg: none, because GCC does not profile MIPS16 functions
//! targets: mipsel mips, because only o32 before R6 has MIPS16 code
// MIPS16 functions between others: they are not traced, and what they call is.
#include <stdio.h>

#include "traced.h"

#define MIPS16 KEEP __attribute__((mips16))

KEEP static int leaf(int a) {
    return a + 1;
}
MIPS16 static int compressed(int a) {
    return leaf(a) * 2;
}
KEEP static int outer(int a) {
    return compressed(a) + 3;
}

int main(void) {
    printf("%d\n", outer(1));
    return 0;
}
