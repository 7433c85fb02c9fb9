#include "calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;

NOINLINE void leaf(void) {
    sink++;
}

/* Pure: the compiler may keep what it knows of memory across such a call. */
NOINLINE int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static NOINLINE void helper(void) {
    leaf();
}

void same_name_here(int n) {
    for (int i = 0; i < n; i++)
        helper();
}

static inline int inlined(int n) {
    leaf();
    return n + 1;
}

NOINLINE int aliased(int n) {
    leaf();
    return n;
}
extern __typeof(aliased) also_aliased __attribute__((alias("aliased")));

static NOINLINE int add(int a, int b) {
    return a + b + sink * 0;
}
static NOINLINE int subtract(int a, int b) {
    return a - b + sink * 0;
}
static NOINLINE int multiply(int a, int b) {
    leaf();
    return a * b;
}

/* One site, three callees. */
NOINLINE int indirect(int n) {
    static int (*const volatile table[])(int, int) = {add, subtract, multiply};
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += table[i % 3](i, 1);
    return sum;
}

NOINLINE int sum_of(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count-- > 0)
        sum += (int)va_arg(list, double);
    va_end(list);
    leaf();
    return sum;
}

struct large {
    char bytes[3000];
};
NOINLINE int by_value(struct large large, int at) {
    leaf();
    return large.bytes[at];
}

/* The program's own, under a name that the compiler knows: it may call it for a structure. */
NOINLINE void* memcpy(void* to, const void* from, size_t size) {
    char* a = to;
    const char* b = from;
    for (size_t i = 0; i < size; i++) {
        a[i] = b[i];
        __asm__ volatile("");
    }
    return to;
}

static jmp_buf buffer;
static NOINLINE void jumps(int n) {
    leaf();
    if (n > 0) longjmp(buffer, n);
}
static NOINLINE int jumped(void) {
    volatile int calls = 0;
    void (*volatile jump)(int) = jumps;
    if (setjmp(buffer) < 3) jump(++calls);
    return calls;
}

__attribute__((weak)) void not_there(void);

__attribute__((constructor)) static void construct(void) {
    aliased(1);
}

int main(void) {
    static struct large large = {{1, 2, 3}};
    struct large copy = large;
    int sum = fib(15);
    same_name_here(3);
    same_name_there(5);
    for (int i = 0; i < 7; i++)
        sum += inlined(i) + aliased(i) + also_aliased(i);
    sum += indirect(10);
    sum += sum_of(3, 1.0, 2.0, 3.0) + sum_of(0);
    sum += by_value(copy, 2) + by_value(large, 1);
    sum += jumped();
    if (not_there != NULL) not_there();
    sum += virtual_calls(4);
    printf("%d\n", sum);
    return 0;
}
