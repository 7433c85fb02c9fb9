// Calls through pointers: from a table, as an argument, returned by a function.
#include <stdio.h>

#include "traced.h"

typedef int Operation(int, int);

KEEP static int add(int a, int b) {
    return a + b;
}
KEEP static int subtract(int a, int b) {
    return a - b;
}
KEEP int multiply(int a, int b) {
    return a * b;
}

static Operation* const table[] = {add, subtract, multiply};

KEEP static Operation* choose(char name) {
    return table[name == '+' ? 0 : name == '-' ? 1 : 2];
}
KEEP static int fold(Operation* operation, const int* values, int count) {
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = operation(result, values[i]);
    return result;
}

int main(void) {
    static const int values[] = {9, 4, 3};
    for (unsigned i = 0; i < 3; i++)
        printf("%d\n", table[i](6, 2));
    printf("%d\n", fold(choose('-'), values, 3));
    printf("%d\n", fold(choose('*'), values, 3));
    return 0;
}
