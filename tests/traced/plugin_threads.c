//! flags: -pthread
// A library whose constructor starts threads that call its functions, and waits for them.
#include <pthread.h>

#include "traced.h"

#define THREADS 3

static int result;

KEEP static int step(int a) {
    return a + 1;
}
KEEP static void* work(void* argument) {
    int* a = argument;
    for (int i = 0; i < 4; i++)
        *a = step(*a);
    return 0;
}
__attribute__((constructor)) static void start_threads(void) {
    pthread_t threads[THREADS];
    int values[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, &values[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++)
        result += values[i];
}
__attribute__((destructor)) static void stop(void) {
    step(result);
}
KEEP int plugin_result(void) {
    return result;
}
