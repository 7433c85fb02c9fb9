//! flags: -pthread -fno-builtin -fno-tree-loop-distribute-patterns -rdynamic
//! shared: swap_a.c
//! graph: none
// The program defines functions of libc that a tracer would like to call itself: they have sleds,
// are called as often as the program does and no more, and can hand on what they get.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

static atomic_int copies, sets, lengths, writes, closes, protections, creations, locks;

KEEP void* memcpy(void* restrict to, const void* restrict from, size_t size) {
    atomic_fetch_add(&copies, 1);
    for (size_t i = 0; i < size; i++)
        ((char*)to)[i] = ((const char*)from)[i];
    return to;
}
KEEP void* memset(void* to, int byte, size_t size) {
    atomic_fetch_add(&sets, 1);
    for (size_t i = 0; i < size; i++)
        ((char*)to)[i] = (char)byte;
    return to;
}
KEEP size_t strlen(const char* text) {
    atomic_fetch_add(&lengths, 1);
    size_t size = 0;
    while (text[size] != '\0')
        size++;
    return size;
}
KEEP ssize_t write(int fd, const void* from, size_t size) {
    atomic_fetch_add(&writes, 1);
    return syscall(SYS_write, fd, from, size);
}
KEEP int close(int fd) {
    atomic_fetch_add(&closes, 1);
    return (int)syscall(SYS_close, fd);
}
KEEP int mprotect(void* at, size_t size, int protection) {
    atomic_fetch_add(&protections, 1);
    return (int)syscall(SYS_mprotect, at, size, protection);
}
KEEP int pthread_create(pthread_t* restrict thread, const pthread_attr_t* restrict attributes,
                        void* (*start)(void*), void* restrict argument) {
    static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    atomic_fetch_add(&creations, 1);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pthread_create");
    return next(thread, attributes, start, argument);
}
KEEP int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static int (*next)(pthread_mutex_t*);
    atomic_fetch_add(&locks, 1);
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return next(mutex);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

KEEP static void* work(void* argument) {
    char text[32];
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        memset(text, 'x', sizeof text);
        text[i % 31] = '\0';
        memcpy(argument, text, strlen(text) + 1);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

KEEP static void use_library(void) {
    void* library = dlopen("libswap_a.so", RTLD_NOW);
    if (library == NULL) return;
    int (*run)(int) = (int (*)(int))dlsym(library, "swap_run");
    run(1);
    dlclose(library);
}

// The forked child makes a recording of its own.
KEEP static void fork_and_use(void) {
    const pid_t child = fork();
    if (child == 0) {
        use_library();
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) write(1, "child failed\n", 13);
}

static void tell(const char* name, int count, int in_child) {
    fprintf(stderr, "calls: %s %d\n", name, count + in_child);
}

int main(void) {
    static char text[64];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, text);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    use_library();
    const int before = copies, before_set = sets, before_length = lengths, before_lock = locks;
    const int before_close = closes, before_protect = protections;
    use_library();  // the second time does what the child's does
    const int copied = copies - before, set = sets - before_set, measured = lengths - before_length;
    const int locked = locks - before_lock, closed = closes - before_close;
    const int protected = protections - before_protect;
    fork_and_use();
    write(1, "done\n", 5);
    const int all[] = {copies, sets, lengths, writes, closes, protections, creations, locks};
    tell("memcpy", all[0], copied);
    tell("memset", all[1], set);
    tell("strlen", all[2], measured);
    tell("write", all[3], 0);
    tell("close", all[4], closed);
    tell("mprotect", all[5], protected);
    tell("pthread_create", all[6], 0);
    tell("pthread_mutex_lock", all[7], locked);
    _exit(0);
}
