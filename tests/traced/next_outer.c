//! needs: next_inner
// Wraps a function of the library behind it.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "traced.h"

KEEP int measured(int a) {
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "measured");
    return next != 0 && next != measured ? next(a) + 1 : -1;
}
