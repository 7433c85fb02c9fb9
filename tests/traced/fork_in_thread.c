//! flags: -pthread
// A fork by a thread while others make traced calls: the child has this one thread only.
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

static volatile int stop;
static volatile int running;

KEEP static int in_child(int a) {
    return a + 1;
}
KEEP static int busy_step(int a) {
    return a + 1;
}
KEEP static void* busy(void* argument) {
    int a = 0;
    for (int i = 0; i < 1000; i++)
        a = busy_step(a);
    running = 1;
    while (!stop)
        usleep(1000);
    for (int i = 0; i < 1000; i++)
        a = busy_step(a);
    return argument;
}
KEEP static void* forks(void* argument) {
    while (!running)
        usleep(1000);
    pid_t pid = fork();
    if (pid == 0) _exit(in_child(in_child(40)));
    int status;
    waitpid(pid, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, busy, NULL);
    pthread_create(&second, NULL, forks, NULL);
    pthread_join(second, NULL);
    stop = 1;
    pthread_join(first, NULL);
    return 0;
}
