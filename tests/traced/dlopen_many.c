//! shared: swap_a.c
//! modules: 232
// So many libraries are loaded that their descriptions need more room than the head of a recording,
// in the recording of a forked child as well.
#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

#define COPIES 230
#define PADDING 150  // of their names
#ifndef NOISE
#define NOISE 0  // calls between loading them and using one
#endif

UNTRACED static int copy(const char* from, const char* to) {
    char buffer[4096];
    const int in = open(from, O_RDONLY);
    const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0700);
    ssize_t size;
    while ((size = read(in, buffer, sizeof buffer)) > 0)
        if (write(out, buffer, (size_t)size) != size) return 0;
    close(in);
    return close(out) == 0;
}

UNTRACED static int load_copies(void) {
    char padding[PADDING + 1], name[PADDING + 32];
    memset(padding, 'x', PADDING);
    padding[PADDING] = '\0';
    int loaded = 0;
    for (int i = 0; i < COPIES; i++) {
        snprintf(name, sizeof name, "./%s%d.so", padding, i);
        if (!copy("libswap_a.so", name)) return -1;
        loaded += dlopen(name, RTLD_NOW) != NULL;
        unlink(name);
    }
    return loaded;
}

KEEP static int noise(int a) {
    return a + 1;
}

KEEP static int run(void) {
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    int (*inside)(int) = library != NULL ? (int (*)(int))dlsym(library, "swap_run") : NULL;
    return inside != NULL ? inside(1) : -1;
}

UNTRACED int main(int argc, char** argv) {
    if (argc != 1 || chdir(dirname(argv[0])) != 0) return 2;
    printf("%d loaded\n", load_copies());
    int calls = 0;
    while (calls < NOISE)
        calls = noise(calls);
    printf("%d\n", run());
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(run());
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    fprintf(stderr, "calls: swap_inner_a 2\n");
    return 0;
}
