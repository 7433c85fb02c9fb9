// A timer interrupts the program as often as it can, at any instruction of a traced call, and in
// the system calls by which the recording grows: tmpfs gives up allocating blocks then.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { kTicks = 1000 };

static volatile long ticks, leaves, spins;

static __attribute__((noinline)) void leaf(void) {
    leaves++;
}

static __attribute__((noinline)) void on_tick(int number) {
    (void)number;
    ticks++;
    leaf();
}

static __attribute__((noinline)) long spin(int n) {
    spins++;
    return n < 2 ? n : spin(n - 1) + spin(n - 2);
}

int main(void) {
    struct sigaction action = {.sa_handler = on_tick};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {{0, 500}, {0, 500}};
    const struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
    long sum = 0;
    while (ticks < kTicks)
        sum = spin(10);
    setitimer(ITIMER_REAL, &none, NULL);
    printf("%ld\n", sum);
    FILE* calls = fopen("calls", "w");
    if (calls == NULL) return 1;
    fprintf(calls, "spin %ld\non_tick %ld\nleaf %ld\nmain 1\n", spins, ticks, leaves);
    return fclose(calls);
}
