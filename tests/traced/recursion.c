//! flags: -fno-optimize-sibling-calls
// Functions that call themselves, once and twice, and each other.
#include <stdio.h>

#include "traced.h"

KEEP static long factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

KEEP static int fib(int n) {
    if (n < 2) return n;
    const int before = fib(n - 1);
    return before + fib(n - 2);
}

static int is_odd(int n);
KEEP static int is_even(int n) {
    return n == 0 ? 1 : is_odd(n - 1);
}
KEEP static int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void) {
    printf("%ld\n", factorial(5));
    printf("%d\n", fib(4));
    printf("%d\n", is_even(4));
    return 0;
}
