//! shared: plugin_threads.c
//! flags: -pthread
//! libc: glibc, because musl unloads no library
// The constructor of a library that is loaded later starts threads, which run through its functions
// while dlopen has not returned; its destructor is traced, too.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

int main(void) {
    void* library = dlopen("libplugin_threads.so", RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*result)(void) = (int (*)(void))dlsym(library, "plugin_result");
    printf("%d\n", result());
    printf("%d\n", dlclose(library));
    return 0;
}
