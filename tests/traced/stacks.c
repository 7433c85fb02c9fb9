// Whom `probe` is called by, in all ways that a stack can be made: it prints what libc's backtrace
// tells of it, which goes by the compiler's unwind information. See check_stacks.
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "traced.h"

enum { kMost = 200 };

// In the library, which has no sleds.
void part_call(void (*function)(int), int a);

// Callers from that of `probe` on, as replay shows them.
KEEP UNTRACED void show(int first) {
    static __thread void* addresses[kMost];
    int count = backtrace(addresses, kMost);
    printf("stack\n");
    for (int i = first; i < count; i++) {
        // In the instruction that calls, but for what a signal has interrupted.
        char* address = (char*)addresses[i] - 1;
        Dl_info info = {0};
        ElfW(Sym)* symbol = NULL;
        if (!dladdr1(address, &info, (void**)&symbol, RTLD_DL_SYMENT)) continue;
        const char* module = strrchr(info.dli_fname, '/');
        module = module ? module + 1 : info.dli_fname;
        if (symbol && address - (char*)info.dli_saddr < (ptrdiff_t)symbol->st_size)
            printf("%s (%s)\n", info.dli_sname, module);
        else
            printf("%s+0x%lx (%s)\n", module, (long)(address - (char*)info.dli_fbase), module);
    }
    printf("end\n");
}

KEEP void probe(int a) {
    if (a >= 0) show(2);
}

KEEP UNTRACED void untraced(int a) {
    probe(a);
    probe(-1);
}
KEEP void by_library(int a) {
    part_call(untraced, a);
    probe(-1);
}
KEEP UNTRACED void in_alloca(int a) {
    char* room = alloca((size_t)a * 100 + 1);
    memset(room, 1, (size_t)a * 100 + 1);
    probe(a);
    room[0]++;
}
KEEP UNTRACED void in_large_frame(int a) {
    volatile char room[100 * 1000];
    room[a] = 1;
    part_call(in_alloca, a);
    (void)room[a];
}
KEEP void many_ways_out(int a) {
    if (a == 7) return;
    in_large_frame(a);
    if (a == 8) {
        probe(-1);
        return;
    }
    if (a == 9) abort();
}
// Does not return itself.
KEEP UNTRACED __attribute__((noreturn)) void without_return(int a) {
    for (;; a++) {
        probe(a);
        if (a > 0) pthread_exit(NULL);
    }
}
void* in_thread(void* argument) {
    without_return((int)(intptr_t)argument);
}

KEEP int compare(const void* a, const void* b) {
    static int calls;
    if (calls++ == 0) probe(1);
    return *(const int*)a - *(const int*)b;
}

volatile sig_atomic_t is_over;
KEEP UNTRACED void on_signal(int number) {
    untraced(number);
    is_over = 1;
}
KEEP UNTRACED int leaf(int a) {
    while (!is_over)
        a += 3;
    return a;
}
KEEP int spin(int a) {
    is_over = 0;
    const struct itimerval soon = {{0, 0}, {0, 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    return leaf(a) + 1;
}

KEEP void nested(int a) {
    if (a == 0)
        probe(0);
    else
        nested(a - 1);
    probe(-1);
}

int main(void) {
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    probe(0);
    by_library(1);
    for (int a = 1; a < 3; a++)
        many_ways_out(a);
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof(int), compare);
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGALRM, &action, NULL);
    spin(1);
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&stack, NULL);
    action.sa_flags = SA_ONSTACK | SA_SIGINFO;
    sigaction(SIGALRM, &action, NULL);
    spin(2);
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, (void*)1);
    pthread_join(thread, NULL);
    nested(80);
    return 0;
}
