// For check_processes: a child by fork, and one of a thread's.
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP static int in_main(int a) {
    return a + 1;
}
KEEP static int in_first(int a) {
    return a + 2;
}
KEEP static int in_second(int a) {
    return a + 3;
}
KEEP static void* forks(void* argument) {
    pid_t pid = fork();
    if (pid == 0) {
        in_second(in_second(1));
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    return argument;
}

int main(void) {
    in_main(1);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        in_first(1);
        pthread_t thread;
        pthread_create(&thread, NULL, forks, NULL);
        pthread_join(thread, NULL);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    return 0;
}
