// Traced signal handlers: on the same stack, on one of their own, one inside the other, and one
// that is left by siglongjmp.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

static volatile int seen;
static sigjmp_buf target;

KEEP static void note(int number) {
    seen = seen * 100 + number;
}
KEEP static void on_usr2(int number) {
    note(number);
}
KEEP static void on_usr1(int number) {
    note(number);
    raise(SIGUSR2);
}
KEEP static void on_urgent(int number) {
    note(number);
    siglongjmp(target, 1);
}
KEEP static int raised(int number) {
    raise(number);
    return seen;
}
KEEP static int jumped(int number) {
    if (sigsetjmp(target, 1) != 0) return seen;
    return raised(number) + 1;
}

KEEP static void install(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_flags = flags};
    action.sa_handler = handler;
    sigaction(number, &action, NULL);
}

int main(void) {
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    sigaltstack(&stack, NULL);
    install(SIGUSR1, on_usr1, 0);
    install(SIGUSR2, on_usr2, SA_ONSTACK);
    install(SIGURG, on_urgent, SA_ONSTACK);
    printf("%d\n", raised(SIGUSR2));
    seen = 0;
    printf("%d\n", raised(SIGUSR1));
    seen = 0;
    printf("%d\n", jumped(SIGURG));
    seen = 0;
    printf("%d\n", raised(SIGUSR2));
    return 0;
}
