//! flags: -pthread -fno-builtin
//! graph: none
//! lost: no_memory=*
//! libc: glibc, because musl calls the program's malloc at other places
// The program's own malloc has sleds and is what everyone calls, in several threads: libc, the
// dynamic linker, stdio. It counts how often; tracing adds no call. libc calls free for a thread
// that is past its last destructor, which can't be recorded and is counted.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traced.h"

#define HEAP (8 << 20)
#define THREADS 4

static _Alignas(16) char heap[HEAP];
static atomic_size_t used;
static atomic_int mallocs, reallocs, callocs;

KEEP static void* take(size_t size) {
    size = (size + 31) & ~(size_t)15;
    const size_t at = atomic_fetch_add(&used, size);
    if (at + size > HEAP) return NULL;
    *(size_t*)(heap + at) = size - 16;
    return heap + at + 16;
}

KEEP void* malloc(size_t size) {
    atomic_fetch_add(&mallocs, 1);
    return take(size);
}
KEEP void free(void* memory) {
    (void)memory;
}
KEEP void* calloc(size_t count, size_t size) {
    atomic_fetch_add(&callocs, 1);
    return take(count * size);
}
KEEP void* realloc(void* memory, size_t size) {
    atomic_fetch_add(&reallocs, 1);
    void* larger = take(size);
    if (memory != NULL && larger != NULL) {
        const size_t old = *(size_t*)((char*)memory - 16);
        memcpy(larger, memory, old < size ? old : size);
    }
    return larger;
}

static void* work(void* argument) {
    for (int i = 1; i < 500; i++) {
        char* memory = malloc((size_t)i);
        memset(memory, i, (size_t)i);
        free(realloc(memory, (size_t)i * 2));
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    void* library = dlopen("libm.so.6", RTLD_NOW);
    printf("%s\n", library != NULL ? "loaded" : "not there");
    if (library != NULL) dlclose(library);
    fprintf(stderr, "calls: malloc %d\n", mallocs);
    fprintf(stderr, "calls: calloc %d\n", callocs);
    fprintf(stderr, "calls: realloc %d\n", reallocs);
    fflush(NULL);
    _Exit(mallocs == 0);  // stdio may free at exit
}
