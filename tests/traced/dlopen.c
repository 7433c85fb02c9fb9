//! flags: -rdynamic
//! dlopen: library_part.c
// A library that is loaded later is traced from its constructor on.
#include <dlfcn.h>
#include <stdio.h>

#include "library.h"
#include "traced.h"

KEEP int program_value(int a) {
    return a * 10;
}
KEEP static int visitor(int a) {
    return a + 1;
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    void* library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    int (*visit)(int (*)(int), int) = (int (*)(int (*)(int), int))dlsym(library, "library_visit");
    printf("%d\n", visit(visitor, 3));
    printf("%d\n", dlclose(library));
    printf("%d\n", visitor(1));
    return 0;
}
