//! shared: needs_inner.c needs_outer.c
// A library that is loaded later brings one that it was linked with, and both are traced. A lazily
// bound call goes through the dynamic linker.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

int main(void) {
    void* library = dlopen("libneeds_outer.so", RTLD_LAZY);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*value)(int) = (int (*)(int))dlsym(library, "outer_value");
    printf("%d\n", value(5));
    printf("%d\n", value(6));
    dlclose(library);
    return 0;
}
