//! shared: swap_a.c
//! modules: 2
// The same library comes again at another address, since its old one has been taken.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>

#include "traced.h"

#define PLACES 10

int main(void) {
    char* places[PLACES];
    int sum = 0;
    for (int i = 0; i < PLACES; i++) {
        void* library = dlopen("libswap_a.so", RTLD_NOW);
        if (library == NULL) {
            printf("%s\n", dlerror());
            return 1;
        }
        int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
        sum += run(i);
        Dl_info info;
        dladdr((const void*)run, &info);
        places[i] = info.dli_fbase;
        dlclose(library);
        mmap(places[i], 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    }
    int different = 0;
    for (int i = 1; i < PLACES; i++)
        different += places[i] != places[i - 1];
    printf("%d, moved %d times\n", sum, different);
    return 0;
}
