// long double, complex and float values: pairs of floating-point registers, both ways.
#include <complex.h>
#include <stdio.h>

#include "traced.h"

KEEP static long double quotient(long double a, int b, long double c) {
    return a / c + b;
}
KEEP static double complex square(double complex z) {
    return z * z;
}
KEEP static float complex turned(float complex z, int quarters) {
    for (; quarters > 0; quarters--)
        z *= (float complex)I;
    return z;
}
KEEP static long double complex grown(long double complex z, long double by) {
    return z * by;
}
KEEP static float half(float a) {
    return a / 2;
}
KEEP static float weighted(int a, float b, double c, float d) {
    return (float)a * b + (float)c * d;
}

int main(void) {
    printf("%.30Lg\n", quotient(1, 2, 3));
    double complex z = square(1.5 + 2 * I);
    printf("%g %g\n", creal(z), cimag(z));
    float complex w = turned(1.0f + 2.0f * (float complex)I, 3);
    printf("%g %g\n", (double)crealf(w), (double)cimagf(w));
    long double complex v = grown(1.0L / 3 + 2.0L * I, 3);
    printf("%.30Lg %.30Lg\n", creall(v), cimagl(v));
    printf("%g\n", (double)half(0.3f));
    printf("%g\n", (double)weighted(2, 0.5f, 0.25, 8.0f));
    return 0;
}
