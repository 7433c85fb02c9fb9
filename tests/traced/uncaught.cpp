//! ends: SIGABRT
// An exception that nobody catches ends the program with the message that it has untraced.
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "traced.h"

struct Tracker {
    KEEP ~Tracker() { std::printf("never printed\n"); }
};

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int inner(int a) {
    if (leaf(a) > 0) throw std::runtime_error("nobody's");
    return a;
}
KEEP static int outer(int a) {
    Tracker tracker;
    return inner(a) + 1;
}

int main() {
    dup2(STDOUT_FILENO, STDERR_FILENO);  // its message is output that is compared
    return outer(3);
}
