//! shared: leave_by.c swap_a.c
// A library is unloaded after calls into it were left by longjmp, and before the tracer can have
// noticed; what is loaded next may lie where it was.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>

#include "traced.h"

static jmp_buf back;

KEEP static void jump(void) {
    longjmp(back, 1);
}

KEEP static int load_and_leave(void) {
    void* volatile library = dlopen("libleave_by.so", RTLD_NOW);
    if (library == NULL) return -1;
    int (*leave_by)(void (*)(void)) = (int (*)(void (*)(void)))dlsym(library, "leave_by");
    if (setjmp(back) == 0) leave_by(jump);
    return dlclose(library);
}

KEEP static int load_another(void) {
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library == NULL) return -1;
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    const int result = run(1);
    dlclose(library);
    return result;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%d\n", load_and_leave());
        printf("%d\n", load_another());
    }
    return 0;
}
