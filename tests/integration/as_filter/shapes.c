/* Functions of every shape that the C compiler gives a head of its own. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int beyond(int x, int (*callback)(int));
int by_asm(int x);

/* A function without a sled, in the middle of the compiler's text. */
__asm__(
    "\t.text\n\t.align 2\n\t.globl by_asm\n\t.ent by_asm\n\t.type by_asm, @function\n"
    "by_asm:\n\t.set push\n\t.set noreorder\n\tjr $31\n\taddiu $2, $4, 40\n\t.set pop\n"
    "\t.end by_asm\n\t.size by_asm, .-by_asm\n");

__attribute__((noinline)) static int clone(int x, int y) {
    return y == 3 ? x * 3 : x / y;
}

__attribute__((noinline)) int twin(int x) {
    return clone(x, 3) + clone(x + 1, 3);
}
int alias(int) __attribute__((alias("twin")));

__attribute__((noinline, cold)) static void complain(int x) {
    printf("cold %d\n", x);
}

/* -O2 puts the unlikely half into a section of its own. */
__attribute__((noinline)) int split(int x) {
    if (__builtin_expect(x > 1000, 0)) {
        complain(x);
        exit(9);
    }
    return twin(x) + by_asm(x);
}

__attribute__((noinline)) static int total(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

/* Begins with a jump at -O0, and with an inline assembler statement. */
__attribute__((noinline)) int loop(int n) {
    __asm__ volatile("nop\n\tnop");
    for (;;)
        if (n-- <= 0) return n;
}

__attribute__((noinline)) int nothing(void) {
    return 0;
}
__attribute__((noinline)) int two_instructions(int x) {
    return -x;
}
__attribute__((noinline, patchable_function_entry(5))) int five(int x) {
    return x + 5;
}

__attribute__((noinline)) int outer(int k) {
    int inner(int y) {
        return y * k;
    }
    return beyond(k, inner) + inner(2);
}

__attribute__((noinline)) double mixed(int a, double b, int c, float d) {
    return a * b + c * d;
}

__attribute__((constructor)) static void early(void) {
    puts("early");
}

int main(void) {
    printf("%d %d %d\n", split(5), alias(7), total(3, 1, 2, 3));
    printf("%d %d %d %d\n", loop(4), nothing(), two_instructions(3), five(6));
    printf("%d %.2f\n", outer(3), mixed(1, 2.5, 3, 0.5F));
    return 3;
}
