//! dlopen: unwind_dlopened_part.c
//! libc: glibc, because musl has no C++ library to load
// A library that is loaded later brings the unwinder that it uses, and the program has none.
#include <dlfcn.h>
#include <stdio.h>

#include "traced.h"

static int (*count_callers)(void);

KEEP static int deeper(int depth) {
    int callers = depth == 0 ? count_callers() : deeper(depth - 1);
    __asm__ volatile("");
    return callers;
}

int main(int argc, char** argv) {
    void* library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return 1;
    count_callers = (int (*)(void))dlsym(library, "count_callers");
    printf("%d callers more\n", deeper(5) - deeper(0));
    return 0;
}
