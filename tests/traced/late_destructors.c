//! flags: -pthread
//! lost: no_memory=6
// Destructors of thread-specific data that make traced calls in every round: the recorder's own
// state of the thread goes in the last one, and what is called after that is counted.
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

static pthread_key_t first, second;
static int rounds[2];

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void destroy(int* count, pthread_key_t key) {
    *count = leaf(*count);
    pthread_setspecific(key, count);  // once more
}
KEEP static void destroy_first(void* argument) {
    destroy(argument, first);
}
KEEP static void destroy_second(void* argument) {
    destroy(argument, second);
}
KEEP static void* work(void* argument) {
    pthread_setspecific(first, &rounds[0]);
    pthread_setspecific(second, &rounds[1]);
    return argument;
}

int main(void) {
    pthread_key_create(&first, destroy_first);
    pthread_key_create(&second, destroy_second);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d %d\n", rounds[0], rounds[1]);
    return 0;
}
