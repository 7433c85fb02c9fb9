//! libc: glibc, because musl's qsort compares in another order
// Callbacks that the C library, which is not traced, calls.
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

KEEP static int difference(int a, int b) {
    return a - b;
}
KEEP static int compare(const void* a, const void* b) {
    return difference(*(const int*)a, *(const int*)b);
}

int main(void) {
    // A merge sort compares 4 with 3, 2 with 1, then 3 with 1 and with 2.
    int values[] = {4, 3, 2, 1};
    qsort(values, 4, sizeof values[0], compare);
    printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
    int key = 3;
    const int* found = bsearch(&key, values, 4, sizeof values[0], compare);
    printf("%d\n", (int)(found - values));
    return 0;
}
