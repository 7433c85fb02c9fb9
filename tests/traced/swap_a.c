// One of two libraries that are of one size: see swap_b.c.
#include "traced.h"

KEEP int swap_inner_a(int a) {
    return a + 1;
}
KEEP int swap_run(int a) {
    return swap_inner_a(a) + 1;
}
