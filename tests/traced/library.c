//! library: library_part.c
// A traced program with a traced library: calls both ways, and the library's constructor.
#include "library.h"

#include <stdio.h>

#include "traced.h"

KEEP int program_value(int a) {
    return a * 10;
}
KEEP static int visitor(int a) {
    static const int values[] = {1, 2};
    return a + library_sum(values, 2);
}

int main(void) {
    printf("%d\n", library_constructed());
    printf("%d\n", library_visit(visitor, 2));
    return 0;
}
