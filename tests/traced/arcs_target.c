/* Calls `called` in the way that its argument says, for check_arcs. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

volatile int sink;

NOINLINE void called(void) {
    sink++;
}

NOINLINE void called_too(void) {
    called();
    sink++;
}

NOINLINE int by_libc(const void* a, const void* b) {
    called();
    return *(const int*)a - *(const int*)b;
}

NOINLINE void* work(void* unused) {
    void (*volatile to[2])(void) = {called, called_too};
    for (int i = 0; i < 5000; i++)
        to[i % 2]();
    return unused;
}

NOINLINE int overflow(int n) {
    if (n == 0) return 0;
    volatile char on_stack[4096];
    on_stack[0] = (char)n;
    return overflow(n + 1) + on_stack[0];
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    called();
    if (strcmp(way, "segv") == 0) return *(volatile int*)0;
    if (strcmp(way, "overflow") == 0) return overflow(1);
    if (strcmp(way, "request") == 0) {
        raise(SIGUSR2);
        rename("gmon.out", "requested");
        called();
    }
    if (strcmp(way, "fork") == 0) {
        called();
        if (fork() == 0) {
            called_too();
            return 0;
        }
        wait(NULL);
    }
    if (strcmp(way, "libc") == 0) {
        int numbers[] = {2, 1};
        qsort(numbers, 2, sizeof numbers[0], by_libc);
    }
    if (strcmp(way, "threads") == 0) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, work, NULL);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
    }
    if (strcmp(way, "full") == 0)
        return setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, 10}) == 0 ? 3 : 1;
    return 0;
}
