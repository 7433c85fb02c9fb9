// Threads with the smallest stacks that there are, 16 KiB where the system allows it.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int nested(int n) {
    return n == 0 ? leaf(n) : nested(n - 1) + 1;
}

static void* run(void* out) {
    *(int*)out = nested(10);
    return NULL;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        pthread_attr_t attributes;
        pthread_t thread;
        int result = 0;
        pthread_attr_init(&attributes);
        if (pthread_attr_setstacksize(&attributes, 16384) != 0)
            pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
        pthread_create(&thread, &attributes, run, &result);
        pthread_join(thread, NULL);
        sum += result;
    }
    printf("%d\n", sum);
    return 0;
}
