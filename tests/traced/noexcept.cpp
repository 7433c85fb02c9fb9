//! flags: -pthread
//! ends: SIGABRT
// An exception that meets a function which must not throw, in a thread: the program's own
// terminate handler is called where it was thrown, and sees it.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int inner(int a) {
    if (leaf(a) > 0) throw std::runtime_error("not allowed");
    return a;
}
KEEP static int quiet(int a) noexcept {
    return inner(a) + 1;
}
KEEP static void* work(void*) {
    quiet(1);
    return nullptr;
}
KEEP static void at_terminate() {
    try {
        throw;
    } catch (const std::exception& problem) {
        std::printf("terminate: %s %d\n", problem.what(), leaf(1));
    }
    std::fflush(stdout);
    std::abort();
}

int main() {
    std::set_terminate(at_terminate);
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    return pthread_join(thread, nullptr);
}
