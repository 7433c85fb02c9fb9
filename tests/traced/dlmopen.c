//! shared: needs_inner.c needs_outer.c
//! libc: glibc, because musl has no dlmopen
// A library in a namespace of its own, beside the same one in the program's: each has its own data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

KEEP static int run_in(Lmid_t space, const char* name) {
    void* library = dlmopen(space, name, RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return -1;
    }
    int (*value)(int) = (int (*)(int))dlsym(library, "outer_value");
    const int result = value(2);
    return dlclose(library) == 0 ? result : -2;
}

int main(void) {
    void* library = dlopen("libneeds_outer.so", RTLD_NOW);
    printf("%d\n", library != NULL);
    printf("%d\n", run_in(LM_ID_NEWLM, "libneeds_outer.so"));
    printf("%d\n", run_in(LM_ID_BASE, "libneeds_outer.so"));
    return 0;
}
