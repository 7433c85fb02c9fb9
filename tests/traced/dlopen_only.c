//! shared: swap_a.c
//! record: --force
// A program none of whose own functions can be traced: those of its library still are.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

UNTRACED int main(void) {
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    printf("%d\n", run(1) + run(2));
    return 0;
}
