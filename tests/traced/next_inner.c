// What next_outer.c wraps.
#include "traced.h"

KEEP int measured(int a) {
    return a + 100;
}
