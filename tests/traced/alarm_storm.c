//! apart: on_alarm
// A timer interrupts traced calls at whatever instruction, and its handler makes traced calls too:
// none is lost, none is counted twice, nothing breaks.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "traced.h"

static volatile long alarms;
static volatile long in_handler;

KEEP static long handler_step(long a) {
    return a + 1;
}
KEEP static void on_alarm(int number) {
    (void)number;
    alarms++;
    in_handler = handler_step(in_handler);
    in_handler = handler_step(in_handler);
}
KEEP static double inner(long a, double b) {
    return (double)a + b;
}
KEEP static double outer(long a, double b) {
    return inner(a, b) + 0.5;
}

int main(void) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval often = {{0, 300}, {0, 300}};
    setitimer(ITIMER_REAL, &often, NULL);
    double sum = 0;
    for (long i = 0; i < 500000; i++)
        sum = outer(i & 1, sum);
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%.1f %d\n", sum, in_handler == 2 * alarms);
    fprintf(stderr, "calls: on_alarm %ld\n", alarms);
    fprintf(stderr, "calls: handler_step %ld\n", in_handler);
    return alarms == 0;
}
