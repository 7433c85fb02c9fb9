//! flags: -frounding-math -lm
//! environment: QEMU_CPU=$TEST_QEMU_CPU
// A traced call leaves the rounding mode, the exception flags and the callee-saved floating-point
// registers alone, also when the recorder needs a new chunk of its file. (The CPU that qemu takes
// by itself has one rounding mode only.)
#include <fenv.h>
#include <stdio.h>

#include "traced.h"

KEEP static double quotient(double a, double b) {
    return a / b;
}
KEEP static int nothing(int a) {
    return a;
}

static int wrong;

KEEP static void once(int mode, double expected, double sum) {
    feclearexcept(FE_ALL_EXCEPT);
    const double kept[4] = {sum + 1, sum + 2, sum + 3, sum + 4};
    nothing(1);
    if (fetestexcept(FE_ALL_EXCEPT) != 0) wrong++;
    if (quotient(1, 3) != expected) wrong++;
    if (fetestexcept(FE_ALL_EXCEPT) != FE_INEXACT || fegetround() != mode) wrong++;
    for (int i = 0; i < 4; i++)
        wrong += kept[i] != sum + nothing(i + 1);
}

KEEP static void check(int mode, double expected) {
    fesetround(mode);
    double kept = 0;
    for (int i = 0; i < 5000; i++) {
        once(mode, expected, kept);
        kept += 0.5;
    }
    if (kept != 2500) wrong++;
}

int main(void) {
    const double third = 0x1.5555555555555p-2;
    check(FE_TONEAREST, third);
    check(FE_TOWARDZERO, third);
    check(FE_DOWNWARD, third);
    check(FE_UPWARD, 0x1.5555555555556p-2);
    fesetround(FE_TONEAREST);
    printf("%d\n", wrong);
    return wrong != 0;
}
