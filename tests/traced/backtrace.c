//! flags: -rdynamic -fno-optimize-sibling-calls
//! libc: glibc, because musl has no backtrace()
// backtrace() shows the same callers as without the tracer, whatever its size and in a handler.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>

#include "traced.h"

enum { kMost = 64 };

KEEP UNTRACED static void show(int size) {
    void* addresses[kMost + 1];
    addresses[size > 0 ? size : 0] = (void*)1;
    int count = backtrace(addresses, size);
    printf("%d of %d%s\n", count, size,
           addresses[size > 0 ? size : 0] == (void*)1 ? "" : " OVERRUN");
    for (int i = 0; i < count; i++) {
        Dl_info info = {0};
        dladdr(addresses[i], &info);
        if (info.dli_sname)
            printf("    %s+%#lx\n", info.dli_sname,
                   (long)((char*)addresses[i] - (char*)info.dli_saddr));
        else
            printf("    -\n");
    }
}

KEEP int leaf(int a) {
    for (int size = -1; size < 12; size++)
        show(size);
    show(kMost);
    return a + 1;
}
KEEP int inner(int a) {
    return leaf(a) + 1;
}
KEEP int outer(int a) {
    return inner(a) + 1;
}
KEEP void on_signal(int number) {
    show(kMost);
    show(4);
    (void)number;
}
KEEP int interrupted(int a) {
    raise(SIGUSR1);
    return a + 1;
}

int main(void) {
    signal(SIGUSR1, on_signal);
    printf("%d\n", outer(1));
    printf("%d\n", interrupted(1));
    return 0;
}
