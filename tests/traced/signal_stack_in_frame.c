// A signal stack that is a local array, whose low end is the stack pointer of a traced call's
// entry: the handler's calls lie above open calls of the same mapping, and must leave them alone.
#include <signal.h>
#include <stdio.h>

#include "traced.h"

static volatile int hits;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int work(int n) {
    int r = n ? work(n - 1) + 1 : leaf(n);
    __asm__ volatile("");
    return r;
}
KEEP static void on_signal(int number) {
    (void)number;
    hits += work(2) > 0;
}
KEEP static int outer(int n) {
    int r;
    if (n) {
        r = outer(n - 1);
    } else {
        raise(SIGUSR1);
        r = leaf(1);
    }
    __asm__ volatile("");
    return r + 1;
}

int main(void) {
    char space[65536];
    stack_t stack = {.ss_sp = space, .ss_size = sizeof space};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += outer(i);
    printf("%d %d\n", sum, hits);
    return 0;
}
