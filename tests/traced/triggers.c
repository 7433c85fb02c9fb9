// Calls for check_triggers, in a fixed order. With an argument, threads run meanwhile.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "traced.h"

KEEP int leaf(int a) {
    return a + 1;
}
KEEP int middle(int a) {
    return leaf(a) + 1;
}
KEEP int top(int a) {
    return middle(a) + 1;
}
KEEP int begin(int level, unsigned flags) {
    return level + (int)flags;
}
KEEP int end(int level) {
    return level;
}

// So much becomes resident, by page faults, in this call.
enum { BYTES = 16 << 20, PAGE = 4096 };
KEEP int touch(void) {
    volatile char* memory =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    for (int i = 0; i < BYTES; i += PAGE)
        memory[i] = 1;
    leaf(1);
    return 0;
}

static int is_over;
UNTRACED static void* run(void* calls) {
    for (; !__atomic_load_n(&is_over, __ATOMIC_RELAXED); ++*(long*)calls)
        top(1);
    return NULL;
}

UNTRACED static long minor_faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
}

int main(int argc, char** argv) {
    enum { THREADS = 2 };
    pthread_t threads[THREADS];
    long calls[THREADS] = {0, 0};
    (void)argv;
    for (int i = 0; i < THREADS && argc > 1; i++)
        pthread_create(&threads[i], NULL, run, &calls[i]);
    for (int level = 0; level < 4; level++) {
        top(level);
        begin(level, 0xfffffff0u + (unsigned)level);
        top(level);
        end(level);
        leaf(level);
    }
    const long before = minor_faults();
    const int failed = touch();
    printf("faults %ld %ld\n", before, minor_faults());
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS && argc > 1; i++)
        pthread_join(threads[i], NULL);
    printf("calls %ld\n", calls[0] + calls[1]);
    return failed;
}
