//! flags: -pthread
// Threads that come and go, at most four at a time.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void* work(void* argument) {
    int* value = argument;
    for (int i = 0; i < 10; i++)
        *value = leaf(*value);
    return NULL;
}

int main(void) {
    int total = 0;
    for (int round = 0; round < 25; round++) {
        pthread_t threads[4];
        int values[4] = {0};
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, work, &values[i]);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 4; i++)
            total += values[i];
    }
    printf("%d\n", total);
    return 0;
}
