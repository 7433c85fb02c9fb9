//! shared: swap_a.c swap_b.c
// A child has what its parent had loaded, and loads more; both recordings know the names.
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int run(const char* name) {
    void* library = dlopen(name, RTLD_NOW);
    if (library == NULL) return -1;
    int (*inside)(int) = (int (*)(int))dlsym(library, "swap_run");
    return inside(1);
}

int main(void) {
    printf("%d\n", run("libswap_a.so"));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(run("libswap_a.so") + run("libswap_b.so"));
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    printf("%d\n", run("libswap_b.so"));
    return 0;
}
