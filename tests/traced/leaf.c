// Functions of two instructions and less.
#include <stdio.h>

#include "traced.h"

KEEP static int one(void) {
    return 1;
}
KEEP static int same(int a) {
    return a;
}
KEEP static double third(int a, int b, double c) {
    (void)a, (void)b;
    return c;
}
KEEP static void nothing(void) {}

int main(void) {
    nothing();
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += one();
    printf("%d\n", sum);
    printf("%d\n", same(42));
    printf("%g\n", third(1, 2, 3.5));
    nothing();
    return 0;
}
