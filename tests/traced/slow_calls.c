//! graph: none
// For the time filter: one call that sleeps, around and beside many that do not.
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

KEEP static int quick(int a) {
    return a + 1;
}
KEEP static int sleeper(int a) {
    a = quick(a);
    usleep(300000);
    return quick(a);
}
KEEP static int slow(int a) {
    for (int i = 0; i < 500; i++)
        a = quick(a);
    a = sleeper(a);
    return quick(a);
}

int main(void) {
    int a = 0;
    for (int i = 0; i < 500; i++)
        a = quick(a);
    a = slow(a);
    printf("%d\n", quick(a));
    return 0;
}
