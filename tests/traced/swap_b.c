// The other one of two libraries that are of one size, with its functions in the other order.
#include "traced.h"

KEEP int swap_inner_b(int a);
KEEP int swap_run(int a) {
    return swap_inner_b(a) + 10;
}
KEEP int swap_inner_b(int a) {
    return a + 10;
}
