//! flags: -rdynamic -fno-optimize-sibling-calls
//! libc: glibc, because musl has no backtrace()
// A function that is not traced sees where it is called from, a traced one does if it asks for a
// backtrace. (Its __builtin_return_address is the tracer's.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>

#include "traced.h"

KEEP UNTRACED static const char* name_of(void* address) {
    Dl_info info = {0};
    dladdr((char*)address - 1, &info);
    return info.dli_sname ? info.dli_sname : "-";
}
KEEP UNTRACED static void untraced_leaf(void) {
    printf("%s calls\n", name_of(__builtin_return_address(0)));
}
KEEP int traced_leaf(int a) {
    void* addresses[2];
    int count = backtrace(addresses, 2);
    printf("%s calls %s\n", count == 2 ? name_of(addresses[1]) : "", name_of(addresses[0]));
    return a + 1;
}
KEEP int middle(int a) {
    untraced_leaf();
    return traced_leaf(a) + 1;
}

int main(void) {
    untraced_leaf();
    printf("%d\n", middle(1));
    return 0;
}
