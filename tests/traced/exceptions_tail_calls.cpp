// An exception through functions that were jumped to: several share one return address.
#include <cstdio>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int third(int a) {
    if (leaf(a) > 3) throw a;
    return a;
}
KEEP static int second(int a) {
    return third(leaf(a));
}
KEEP static int first(int a) {
    return second(leaf(a));
}
KEEP static int guarded(int a) {
    try {
        return first(a) + 1;
    } catch (int value) {
        return leaf(value);
    }
}

int main() {
    std::printf("%d\n", guarded(0));
    std::printf("%d\n", guarded(1));
    std::printf("%d\n", guarded(2));
    return 0;
}
