//! shared: swap_a.c swap_b.c
//! modules: 3
// A library is unloaded and another one comes to its addresses; each time the right functions
// appear, and however often a library comes, it is one module of the recording.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

#define ROUNDS 10

KEEP static void* base_of(const void* function) {
    Dl_info info;
    return dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

KEEP static void* load_and_run(const char* name, int* sum) {
    void* library = dlopen(name, RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return NULL;
    }
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    *sum += run(1);
    void* base = base_of((const void*)run);
    dlclose(library);
    return base;
}

int main(void) {
    int sum = 0, together = 0;
    for (int i = 0; i < ROUNDS; i++) {
        void* a = load_and_run("libswap_a.so", &sum);
        void* b = load_and_run("libswap_b.so", &sum);
        together += a != NULL && a == b;
    }
    printf("%d, %s\n", sum, together > ROUNDS / 2 ? "at one place" : "apart");
    return 0;
}
