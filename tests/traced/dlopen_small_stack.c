//! shared: long_name.c
//! flags: -pthread
//! record: -F swap_*
// A thread with the smallest stack that there is loads a library whose names take a lot of stack to
// demangle, which the filter asks for.
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#include "traced.h"

static void* load(void* argument) {
    void* library = dlopen("liblong_name.so", RTLD_NOW);
    int (*run)(int) = library != NULL ? (int (*)(int))dlsym(library, "swap_run") : NULL;
    *(int*)argument = run != NULL ? run(1) : -1;
    return NULL;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    int result = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
    if (pthread_create(&thread, &attributes, load, &result) != 0) return 1;
    pthread_join(thread, NULL);
    printf("%d\n", result);
    return 0;
}
