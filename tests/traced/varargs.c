// Functions with variable arguments: the callee takes them from the registers that were live.
#include <stdarg.h>
#include <stdio.h>

#include "traced.h"

KEEP static long sum_of_ints(int count, ...) {
    va_list list;
    va_start(list, count);
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum = 3 * sum + va_arg(list, int);
    va_end(list);
    return sum;
}

KEEP static double sum_of_pairs(int count, ...) {
    va_list list;
    va_start(list, count);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += va_arg(list, int);
        sum *= va_arg(list, double);
    }
    va_end(list);
    return sum;
}

KEEP static int say_list(const char* format, va_list list) {
    return vprintf(format, list);
}

KEEP static int say(const char* format, ...) {
    va_list list;
    va_start(list, format);
    int size = say_list(format, list);
    va_end(list);
    return size;
}

int main(void) {
    printf("%ld\n", sum_of_ints(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%ld\n", sum_of_ints(0));
    printf("%g\n", sum_of_pairs(6, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5));
    printf("%d\n", say("%d %s %g %ld %c %Lg %d %d %g\n", 1, "two", 3.25, 4L, '5', 6.5L, 7, 8, 9.5));
    return 0;
}
