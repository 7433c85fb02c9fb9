//! environment: MIPSTRACE_MAX_SIZE=256K
//! flags: -pthread
//! graph: none
//! lost: no_space=*
// A recording that ends before the program: what came before is whole, what came behind is counted.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

KEEP static long noise(long a) {
    return a ^ 1;
}
KEEP static long first(long a) {
    return a + 1;
}
KEEP static long last(long a) {
    return a + 1;
}
KEEP static void* work(void* sum) {
    *(long*)sum = last(1);
    return NULL;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum = first(sum);
    for (int i = 0; i < 60000; i++)
        sum = noise(sum);
    printf("%ld\n", sum);
    pthread_t thread;
    pthread_create(&thread, NULL, work, &sum);
    pthread_join(thread, NULL);
    printf("%ld\n", last(sum));
    fprintf(stderr, "calls: first 100\n");
    fprintf(stderr, "calls: last 0\n");
    return 0;
}
