//! shared: next_inner.c next_outer.c
// RTLD_NEXT finds the next definition from where it is asked, in a traced wrapper, too.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

int main(void) {
    void* library = dlopen("libnext_outer.so", RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*wrapper)(int) = (int (*)(int))dlsym(library, "measured");
    printf("%d\n", wrapper(1));
    return 0;
}
