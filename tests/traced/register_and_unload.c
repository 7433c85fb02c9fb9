//! flags: -pthread -rdynamic
//! shared: swap_a.c swap_b.c
//! graph: none
// Users are registered and unregistered, with filters and without, while other threads load and
// unload what is traced: nobody writes to text that is gone, and every call is recorded.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

#pragma weak register_ftrace_graph
#pragma weak unregister_ftrace_graph

#define LOADERS 2
#define ROUNDS 60

static atomic_int loading = LOADERS;
static atomic_int failures;

UNTRACED static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                             struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
    return 1;
}
UNTRACED static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                               struct ftrace_regs* regs) {
    (void)call, (void)ops, (void)regs;
}

static void* load_and_unload(void* argument) {
    const char* name = argument;
    for (int i = 0; i < ROUNDS; i++) {
        void* library = dlopen(name, RTLD_NOW);
        int (*run)(int) = library != NULL ? (int (*)(int))dlsym(library, "swap_run") : NULL;
        if (run == NULL || run(1) < 2) failures++;
        if (library == NULL || dlclose(library) != 0) failures++;
    }
    loading--;
    return NULL;
}

static void* come_and_go(void* argument) {
    (void)argument;
    struct fgraph_ops ops = {.size = sizeof ops, .entryfunc = on_entry, .retfunc = on_return};
    for (int i = 0; loading > 0; i++) {
        ops.filter = i % 2 == 0 ? "" : "swap_*";
        if (register_ftrace_graph(&ops) != 0) failures++;
        if (unregister_ftrace_graph(&ops) != 0) failures++;
    }
    return NULL;
}

int main(void) {
    static char names[LOADERS][16] = {"libswap_a.so", "libswap_b.so"};
    pthread_t loaders[LOADERS], user;
    const int is_traced = register_ftrace_graph != NULL;
    if (is_traced) pthread_create(&user, NULL, come_and_go, NULL);
    for (int i = 0; i < LOADERS; i++)
        pthread_create(&loaders[i], NULL, load_and_unload, names[i]);
    for (int i = 0; i < LOADERS; i++)
        pthread_join(loaders[i], NULL);
    if (is_traced) pthread_join(user, NULL);
    printf("%d failures\n", failures);
    fprintf(stderr, "calls: swap_run %d\n", LOADERS * ROUNDS);
    return 0;
}
