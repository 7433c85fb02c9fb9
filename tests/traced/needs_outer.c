//! needs: needs_inner
// A library that comes with another one, whose constructor runs before its own.
#include "traced.h"

int inner_value(int a);

static int constructed;

KEEP int outer_value(int a) {
    return inner_value(a) + constructed;
}
__attribute__((constructor)) static void outer_start(void) {
    constructed = inner_value(1);
}
