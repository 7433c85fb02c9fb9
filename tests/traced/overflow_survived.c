//! flags: -fno-optimize-sibling-calls -Wno-infinite-recursion
//! environment: MIPSTRACE_MAX_STACK=1000
//! lost: too_deep=*
// The stack overflows, and a handler on another stack jumps back to the start, twice.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#include "traced.h"

static sigjmp_buf target;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int endless(int n) {
    return endless(n + 1) + n;
}
static void on_overflow(int number) {
    siglongjmp(target, number);
}
KEEP static int guarded(void) {
    int number = sigsetjmp(target, 1);
    return number == 0 ? endless(0) : leaf(number == SIGSEGV);
}

int main(void) {
    // With -pg, glibc's SIGPROF finds no room for its frame, and under qemu-user that is the end.
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    static char space[65536];
    stack_t stack = {.ss_sp = space, .ss_size = sizeof space};
    struct sigaction action = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    printf("%d\n", guarded());
    printf("%d\n", guarded());
    return 0;
}
