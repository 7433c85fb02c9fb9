// 500 children, 25 at a time.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kChildren = 500, kAtOnce = 25 };

KEEP static int work(int a) {
    return a + 1;
}
KEEP static int child(int a) {
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum = work(sum);
    return sum == 100 ? a % 100 : 100;
}
KEEP static int reap(void) {
    int status;
    wait(&status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

int main(void) {
    int sum = 0, wanted = 0, running = 0;
    for (int i = 0; i < kChildren; i++) {
        wanted += i % 100;
        if (fork() == 0) _exit(child(i));
        if (++running == kAtOnce) {
            sum += reap();
            running--;
        }
    }
    while (running-- > 0)
        sum += reap();
    printf("%d %d\n", sum, wanted);
    return 0;
}
