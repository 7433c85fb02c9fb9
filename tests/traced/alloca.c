// Frames whose size is known only at run time.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

#include "traced.h"

KEEP static int sum(const int* values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

KEEP static int with_alloca(int count) {
    int* values = alloca(sizeof(int) * (size_t)count);
    for (int i = 0; i < count; i++)
        values[i] = i;
    int result = sum(values, count);
    char* more = alloca((size_t)count);
    memset(more, 1, (size_t)count);
    return result + more[count - 1];
}

KEEP static int with_array(int count) {
    int total = 0;
    for (int n = 1; n <= count; n++) {
        int values[n];
        for (int i = 0; i < n; i++)
            values[i] = n;
        total += sum(values, n);
    }
    return total;
}

int main(void) {
    printf("%d\n", with_alloca(10));
    printf("%d\n", with_alloca(5000));
    printf("%d\n", with_array(3));
    return 0;
}
