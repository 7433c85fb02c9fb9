// Exceptions leave several calls at once, and run destructors on the way.
#include <cstdio>
#include <stdexcept>

#include "traced.h"

struct Tracker {
    const char* name;
    KEEP explicit Tracker(const char* n) : name(n) {}
    KEEP ~Tracker() { std::printf("-%s\n", name); }
};

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int third(int a) {
    if (leaf(a) > 3) throw std::runtime_error("too much");
    return a;
}
KEEP static int second(int a) {
    Tracker tracker("second");
    return third(a + 1) + 1;
}
KEEP static int first(int a) {
    return second(a + 1) + 1;
}

KEEP static int guarded(int a) {
    try {
        return first(a) + 1;
    } catch (const std::exception& problem) {
        std::printf("caught %s\n", problem.what());
        return leaf(a) + 1;
    }
}
KEEP static int rethrows(int a) {
    try {
        return first(a) + 1;
    } catch (...) {
        leaf(a);
        throw;
    }
}

int main() {
    std::printf("%d\n", guarded(0));
    std::printf("%d\n", guarded(1));
    try {
        rethrows(2);
    } catch (const std::runtime_error&) {
        std::printf("%d\n", leaf(1));
    }
    return 0;
}
