//! flags: -pthread
// Threads that are cancelled or exit inside C++: destructors, catch (...) and cleanup handlers run,
// the inner ones first.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cstdio>

#include "traced.h"

static sem_t ready;

struct Tracker {
    const char* name;
    KEEP explicit Tracker(const char* n) : name(n) {}
    KEEP ~Tracker() { std::printf("-%s\n", name); }
};

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void clean_up(void* argument) {
    std::printf("cleanup %s\n", static_cast<const char*>(argument));
}
KEEP static int wait_for_ever(int a) {
    sem_post(&ready);
    for (;;)
        pause();
    return a;
}
KEEP static int leave_now(int a) {
    pthread_exit(reinterpret_cast<void*>(long(leaf(a))));
}
KEEP static int guarded(int (*end)(int), int a) {
    Tracker tracker("guarded");
    try {
        return end(a);
    } catch (...) {
        std::printf("caught %d\n", leaf(a));
        throw;
    }
}
KEEP static int nested(int (*end)(int), int depth) {
    char name[] = "handler";
    int result;
    pthread_cleanup_push(clean_up, name);
    Tracker tracker("nested");
    result = depth == 0 ? guarded(end, depth) : nested(end, depth - 1);
    pthread_cleanup_pop(1);
    return result + 1;
}
KEEP static void* is_cancelled(void*) {
    nested(wait_for_ever, 1);
    return nullptr;
}
KEEP static void* exits(void*) {
    nested(leave_now, 1);
    return nullptr;
}

int main() {
    pthread_t thread;
    void* result;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, nullptr, is_cancelled, nullptr);
    sem_wait(&ready);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::printf("%d\n", result == PTHREAD_CANCELED);
    pthread_create(&thread, nullptr, exits, nullptr);
    pthread_join(thread, &result);
    std::printf("%ld\n", reinterpret_cast<long>(result));
    return 0;
}
