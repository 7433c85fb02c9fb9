//! flags: -Wno-trampolines
// Nested functions take the frame of the outer one in register 15, also through a pointer.
#include <stdio.h>

#include "traced.h"

KEEP static int apply(int (*function)(int), int times) {
    int sum = 0;
    for (int i = 0; i < times; i++)
        sum += function(i);
    return sum;
}

KEEP static int outer(int base) {
    int calls = 0;
    KEEP int direct(int a) {
        calls++;
        return base + a;
    }
    KEEP int through_pointer(int a) {
        KEEP int innermost(int b) {
            calls += 100;
            return base * b;
        }
        const int product = innermost(a);
        return product + direct(a);
    }
    int sum = direct(1);
    sum += apply(through_pointer, 3);
    return 1000 * calls + sum;
}

int main(void) {
    printf("%d\n", outer(7));
    printf("%d\n", outer(-1));
    return 0;
}
