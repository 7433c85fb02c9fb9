// The library of library.c.
#include "library.h"
#include "traced.h"

static int constructed;

KEEP static int hidden_step(int a, int b) {
    return a + b;
}
__attribute__((constructor)) static void library_start(void) {
    constructed = hidden_step(20, 22);
}
KEEP int library_sum(const int* values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum = hidden_step(sum, values[i]);
    return sum;
}
KEEP int library_visit(int (*visitor)(int), int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += visitor(i);
        sum += program_value(i);
    }
    return sum;
}
KEEP int library_constructed(void) {
    return constructed;
}
