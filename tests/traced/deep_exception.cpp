//! flags: -fno-optimize-sibling-calls
//! environment: MIPSTRACE_MAX_STACK=65535
//! graph: none
// An exception through so many calls that finding the true caller of each must not be a search
// through all of them. (The graph would be hundreds of megabytes of indentation.)
#include <cstdio>

#include "traced.h"

enum { kDepth = 20000 };

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int descend(int depth) {
    if (depth == 1) throw leaf(41);
    return descend(depth - 1) + 1;
}
KEEP static int guarded(int depth) {
    try {
        return descend(depth);
    } catch (int value) {
        return leaf(value);
    }
}

int main() {
    std::printf("%d\n", guarded(kDepth));
    std::fprintf(stderr, "calls: descend(int) %d\ncalls: leaf(int) 2\n", kDepth);
    return 0;
}
