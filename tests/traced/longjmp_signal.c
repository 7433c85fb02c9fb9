//! flags: -fno-optimize-sibling-calls
// Signal handlers on a stack of their own that jump back to where the program was: after a signal
// that it sent itself, and after crashes.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#include "traced.h"

static sigjmp_buf target;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void back(int number) {
    if (leaf(number) > 0) siglongjmp(target, number);
}
KEEP static void on_signal(int number) {
    back(number);
    leaf(number);
}
KEEP static int down(int depth) {
    if (depth == 0) return raise(SIGUSR1);
    return down(depth - 1) + leaf(depth);
}
KEEP static int crash(int* at) {
    *(volatile int*)at = 1;
    return leaf(1);
}
KEEP static int guarded(int depth) {
    int number = sigsetjmp(target, 1);
    if (number != 0) return leaf(number == SIGUSR1);
    return down(depth);
}
KEEP static int guarded_crash(int* at) {
    int number = sigsetjmp(target, 1);
    if (number != 0) return leaf(number == SIGSEGV);
    return crash(at);
}

int main(void) {
    static char space[65536];
    stack_t stack = {.ss_sp = space, .ss_size = sizeof space};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += guarded(3);
    for (int i = 0; i < 200; i++)
        sum += guarded_crash(NULL);
    printf("%d %d\n", sum, leaf(1));
    return 0;
}
