//! shared: swap_a.c unresolved.c
// A dlopen that fails when the library is mapped already, and another one that takes its place.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

int main(void) {
    int failed = 0, sum = 0;
    for (int i = 0; i < 5; i++) {
        failed += dlopen("libunresolved.so", RTLD_NOW) == NULL;
        failed += dlopen("libnot_there.so", RTLD_NOW) == NULL;
        void* library = dlopen("libswap_a.so", RTLD_NOW);
        if (library == NULL) return 1;
        int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
        sum += run(i);
        dlclose(library);
    }
    printf("%d failed, %d\n", failed, sum);
    return 0;
}
