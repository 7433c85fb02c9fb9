// Does what it is told on standard input, for check_control: "call N" calls inner() N times,
// "result N" tells what outer(N) returns, "close" closes every descriptor but the first three,
// "fork" goes on in a child alone, "exec" begins anew, "thread" goes on in another thread after the
// main one has ended, "block" blocks all signals, "storm" has threads call outer() until "calm",
// which tells how often they did.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

KEEP int inner(int a, double b) {
    return a + (int)b;
}
KEEP int outer(int a) {
    return inner(a, 1) - 1;
}

enum { STORM_THREADS = 3 };
static pthread_t storm[STORM_THREADS];
static int is_calm;

UNTRACED static void* call_until_calm(void* unused) {
    (void)unused;
    long calls = 0;
    for (; !__atomic_load_n(&is_calm, __ATOMIC_RELAXED); calls++)
        outer((int)calls);
    return (void*)calls;
}

UNTRACED static void begin_storm(void) {
    is_calm = 0;
    for (int i = 0; i < STORM_THREADS; i++)
        pthread_create(&storm[i], NULL, call_until_calm, NULL);
}

UNTRACED static long end_storm(void) {
    long calls = 0;
    __atomic_store_n(&is_calm, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < STORM_THREADS; i++) {
        void* of_thread = NULL;
        pthread_join(storm[i], &of_thread);
        calls += (long)of_thread;
    }
    return calls;
}

static void serve(char** argv);

static void* serve_in_thread(void* argv) {
    pthread_join(*(pthread_t*)((char**)argv)[1], NULL);
    serve(argv);
    return NULL;
}

UNTRACED static void go_on_in_thread(char** argv) {
    static pthread_t main_thread;
    static char* arguments[2];
    pthread_t thread;
    main_thread = pthread_self();
    arguments[0] = argv[0];
    arguments[1] = (char*)&main_thread;
    pthread_create(&thread, NULL, serve_in_thread, arguments);
    pthread_exit(NULL);
}

UNTRACED static void serve(char** argv) {
    char line[64];
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "call ", 5) == 0) {
            for (int i = atoi(line + 5); i > 0; i--)
                outer(i);
        } else if (strncmp(line, "result ", 7) == 0) {
            printf("result %d\n", outer(atoi(line + 7)));
            fflush(stdout);
            continue;
        } else if (strcmp(line, "close\n") == 0) {
            for (int fd = 3; fd < 1024; fd++)
                close(fd);
        } else if (strcmp(line, "fork\n") == 0) {
            const pid_t child = fork();
            int status = 0;
            if (child != 0) _exit(waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 1);
            outer(0);
        } else if (strcmp(line, "exec\n") == 0) {
            execv(argv[0], argv);
        } else if (strcmp(line, "storm\n") == 0) {
            begin_storm();
        } else if (strcmp(line, "calm\n") == 0) {
            printf("result %ld\n", end_storm());
            fflush(stdout);
            continue;
        } else if (strcmp(line, "thread\n") == 0) {
            go_on_in_thread(argv);
        } else if (strcmp(line, "block\n") == 0) {
            sigset_t all;
            sigfillset(&all);
            sigprocmask(SIG_SETMASK, &all, NULL);
        }
        printf("done %d\n", (int)getpid());
        fflush(stdout);
    }
}

int main(int argc, char** argv) {
    (void)argc;
    serve(argv);
    return 0;
}
