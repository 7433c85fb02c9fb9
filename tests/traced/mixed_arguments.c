// Nine integer and floating-point arguments, so that the last goes over the stack, and twelve.
#include <stdio.h>

#include "traced.h"

KEEP static double nine(int a, double b, long c, float d, char e, double f, short g, double h,
                        long long i) {
    printf("%d %g %ld %g %c %g %d %g %lld\n", a, b, c, (double)d, e, f, g, h, i);
    return a + b + (double)c + (double)d + e + f + g + h + (double)i;
}

KEEP static double nine_floating(double a, float b, double c, float d, double e, float f, double g,
                                 float h, double i) {
    return a + 2 * (double)b + 3 * c + 4 * (double)d + 5 * e + 6 * (double)f + 7 * g +
           8 * (double)h + 9 * i;
}

KEEP static long twelve(long a, long b, long c, long d, long e, long f, long g, long h, long i,
                        long j, long k, long l) {
    return a - b + 2 * c - 3 * d + 4 * e - 5 * f + 6 * g - 7 * h + 8 * i - 9 * j + 10 * k - 11 * l;
}

// Passes its own arguments on, in another order.
KEEP static double passed_on(long long i, double h, short g, double f, char e, float d, long c,
                             double b, int a) {
    return nine(a, b, c, d, e, f, g, h, i);
}

int main(void) {
    printf("%g\n", nine(-1, 2.5, 1L << 30, 0.25f, 'x', -1e10, -300, 1e-3, -(1LL << 50)));
    printf("%g\n", nine_floating(1, 2, 3, 4, 5, 6, 7, 8, 9));
    printf("%ld\n", twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g\n", passed_on(9, 8, 7, 6, 'e', 4, 3, 2, 1));
    return 0;
}
