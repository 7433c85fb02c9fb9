//! shared: origin_outer.c swap_a.c
//! libc: glibc, because musl expands no $ORIGIN in a name for dlopen
// $ORIGIN means the folder of the object that calls dlopen, also when that is traced; and a
// relative name that of the process, which changes afterwards.
#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

int main(int argc, char** argv) {
    void* library = dlopen("$ORIGIN/liborigin_outer.so", RTLD_NOW);
    if (argc < 1 || library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*open_it)(void) = (int (*)(void))dlsym(library, "outer_open");
    printf("%d\n", open_it());
    printf("%d\n", chdir(dirname(argv[0])));
    void* relative = dlopen("./libswap_a.so", RTLD_NOW);
    printf("%s\n", relative != NULL ? "found" : dlerror());
    printf("%d\n", chdir("/"));
    return 0;
}
