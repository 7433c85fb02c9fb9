//! flags: -pthread -rdynamic
//! shared: swap_a.c
//! graph: none
//! record: -F main -F recorded_*
//! pg: none, because a call of _mcount is no sled that can lead elsewhere
//! libc: glibc, because musl unloads no library
// Functions that are replaced, recorded ones and others: arguments in registers, on the stack and
// in floating-point registers, structures returned in registers and in memory; while threads run
// through them; in a library that goes, and in a child. The original gets what is handed on.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

#pragma weak register_ftrace_direct
#pragma weak modify_ftrace_direct
#pragma weak unregister_ftrace_direct

enum { kThreads = 4, kRounds = 1500 };

struct Pair {
    double re, im;
};
struct Large {
    long values[9];
    double last;
};

static atomic_int failures, changing = 1;
static atomic_int recorded_mixes;
static int adds[64];  // each call of it adds to one; position-independent code finds it by $28

#define EXPECT(condition)                                           \
    do {                                                            \
        if (!(condition)) {                                         \
            failures++;                                             \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
        }                                                           \
    } while (0)

static const double kSum = 1 + 1 + 6 + 6 + 15 + 15 + 28 + 28 + 45 + 45 + 66 + 66;

#define REPLACE(name)                                                       \
    EXPECT(register_ftrace_direct((void*)OF(name), (void*)OF(other_##name), \
                                  (void**)&OF(original_##name)) == 0)

#define OF(name) recorded_##name
#define IS_RECORDED 1
#include "direct_functions.h"
#undef OF
#undef IS_RECORDED

#define OF(name) plain_##name
#define IS_RECORDED 0
#include "direct_functions.h"

static void refuse(void) {
    EXPECT(register_ftrace_direct(NULL, (void*)refuse, NULL) == -EINVAL);
    EXPECT(register_ftrace_direct((void*)recorded_mix, NULL, NULL) == -EINVAL);
    EXPECT(register_ftrace_direct((void*)recorded_mix, (void*)recorded_mix, NULL) == -EINVAL);
    EXPECT(register_ftrace_direct((void*)puts, (void*)refuse, NULL) == -ENOENT);
    EXPECT(register_ftrace_direct((void*)plain_other_mix, (void*)refuse, NULL) == -ENOENT);
    EXPECT(unregister_ftrace_direct((void*)recorded_mix) == -ENOENT);
}

UNTRACED static int other_run(int a) {
    return -a;
}

// Its module goes, and the direct call with it; it comes again without.
static void unload(void) {
    for (int i = 0; i < 3; i++) {
        void* library = dlopen("libswap_a.so", RTLD_NOW);
        int (*run)(int) = library != NULL ? (int (*)(int))dlsym(library, "swap_run") : NULL;
        EXPECT(run != NULL && run(1) != -1);
        EXPECT(register_ftrace_direct((void*)run, (void*)other_run, NULL) == 0);
        EXPECT(run(1) == -1);
        dlclose(library);
    }
}

static void fork_replaced(void) {
    void* const function = (void*)recorded_pair;
    EXPECT(register_ftrace_direct(function, (void*)recorded_other_pair,
                                  (void**)&recorded_original_pair) == 0);
    const pid_t child = fork();
    EXPECT(recorded_pair(1, 2).re == 2);
    EXPECT(unregister_ftrace_direct(function) == 0);
    EXPECT(recorded_pair(1, 2).re == 1);
    if (child == 0) _exit(failures);
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
    const int is_traced = register_ftrace_direct != NULL;
    recorded_check(0);
    plain_check(0);
    if (is_traced) {
        refuse();
        recorded_replace();
        plain_replace();
        unload();
        pthread_t threads[kThreads];
        for (int i = 0; i < kThreads; i++)
            pthread_create(&threads[i], NULL, i % 2 == 0 ? recorded_run : plain_run, NULL);
        recorded_change();
        plain_change();
        changing = 0;
        for (int i = 0; i < kThreads; i++)
            pthread_join(threads[i], NULL);
        fork_replaced();
    }
    printf("%d failures\n", failures);
    // Originals that are called by their pointers are not recorded.
    fprintf(stderr, "calls: recorded_mix %d\n", recorded_mixes + 4);
    fprintf(stderr, "calls: recorded_pair %d\n", 3 + 4);
    fprintf(stderr, "calls: recorded_large %d\n", 3);
    return 0;
}
