// Calls as the last thing that a function does, which an optimizing compiler makes jumps: the
// callee then returns for both.
#include <stdio.h>

#include "traced.h"

static void* place_of_first;
static int same_place;

KEEP static int third(int a, int b) {
    same_place = __builtin_dwarf_cfa() == place_of_first;
    return a * b;
}
KEEP static int second(int a) {
    return third(a + 1, a);
}
KEEP static int first(int a, int b, int c) {
    place_of_first = __builtin_dwarf_cfa();
    return second(a + b + c);
}

static int ping(int n);
KEEP static int pong(int n) {
    return n == 0 ? 2 : ping(n - 1);
}
KEEP static int ping(int n) {
    return n == 0 ? 1 : pong(n - 1);
}

KEEP static int countdown(int n) {
    return n == 0 ? 0 : countdown(n - 1);
}

KEEP static double through_pointer(double (*function)(double), double value) {
    return function(value + 1);
}
KEEP static double twice(double value) {
    return 2 * value;
}

int main(void) {
    printf("%d\n", first(1, 2, 3));
    printf("%d\n", ping(3));
    printf("%d\n", countdown(5));
    printf("%g\n", through_pointer(twice, 1.5));
#ifdef __OPTIMIZE__
    if (!same_place) {
        printf("the compiler made no jumps of these calls\n");
        return 1;
    }
#endif
    return 0;
}
