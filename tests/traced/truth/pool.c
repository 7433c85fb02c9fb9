// Threads that share a queue of jobs: which thread does what is chance, the sums are not.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kJobs = 400 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job;
static long results[kJobs];

static int take_job(void) {
    pthread_mutex_lock(&lock);
    const int job = next_job++;
    pthread_mutex_unlock(&lock);
    return job;
}
static long collatz_step(long n) {
    return n % 2 == 0 ? n / 2 : 3 * n + 1;
}
static long collatz(long n) {
    long steps = 0;
    for (; n != 1; steps++)
        n = collatz_step(n);
    return steps;
}
static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
}
static long job_even(int job) {
    return collatz(job + 1);
}
static long job_odd(int job) {
    return gcd(job * 1234567L, 7654321L + job);
}
static long (*const kinds[])(int) = {job_even, job_odd};

static void* work(void* argument) {
    for (int job; (job = take_job()) < kJobs;)
        results[job] = kinds[job % 2](job);
    return argument;
}
static long sum_of(const long* values, int count) {
    if (count == 1) return values[0];
    return sum_of(values, count / 2) + sum_of(values + count / 2, count - count / 2);
}

int main(void) {
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < kThreads; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", sum_of(results, kJobs));
    return 0;
}
