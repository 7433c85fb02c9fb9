//! ends: 3
//! flags: -pthread
// The main thread ends before another, which goes on with traced calls and ends the process.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

static pthread_t main_thread;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void* work(void* argument) {
    pthread_join(main_thread, NULL);
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum = leaf(sum);
    printf("%d\n", sum);
    exit(3);
    return argument;
}
KEEP static void leave(void) {
    leaf(0);
    pthread_exit(NULL);
}

int main(void) {
    main_thread = pthread_self();
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    leave();
    return 0;
}
