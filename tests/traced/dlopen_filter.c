//! shared: swap_a.c
//! record: -F swap_inner_*
// A filter holds for what is loaded later, even if nothing before matches it.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

int main(void) {
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    printf("%d\n", run(1));
    return 0;
}
