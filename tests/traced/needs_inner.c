// What needs_outer.c is linked with.
#include "traced.h"

static int constructed;

KEEP int inner_value(int a) {
    return a * 2 + constructed;
}
__attribute__((constructor)) static void inner_start(void) {
    constructed = 1;
}
