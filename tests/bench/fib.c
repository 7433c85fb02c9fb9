/* The measured program: nearly nothing but calls. fib(N) is 2*F(N+1)-1 calls.
 *   fib N [THREADS]    with THREADS: in each of so many, which are all there from the first call to
 *                      the last */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int fib(int n);

int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static pthread_barrier_t together;

static void* in_thread(void* n) {
    pthread_barrier_wait(&together);
    int result = fib(*(const int*)n);
    pthread_barrier_wait(&together);
    return result >= 0 ? NULL : n;
}

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) return 2;
    int n = atoi(argv[1]);
    if (argc == 2) {
        printf("%d\n", fib(n));
        return 0;
    }
    enum { MOST = 64 };
    int threads = atoi(argv[2]);
    pthread_t ids[MOST];
    if (threads < 1 || threads > MOST || pthread_barrier_init(&together, NULL, threads) != 0)
        return 2;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, in_thread, &n) != 0) return 1;
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
