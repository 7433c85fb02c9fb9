// A library that is preloaded beside the tracer's: it wraps a function of libc, and calls its own
// from its constructor.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "traced.h"

static int (*next_puts)(const char*);

KEEP static void find_next(void) {
    *(void**)&next_puts = dlsym(RTLD_NEXT, "puts");
}
__attribute__((constructor)) static void other_start(void) {
    find_next();
}
KEEP int puts(const char* text) {
    return next_puts != NULL ? next_puts(text) : -1;
}
