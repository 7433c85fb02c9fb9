//! library: exceptions_libraries_part.cpp
// Exceptions from a traced library into the program, back, and through both.
#include "exceptions_libraries.h"

#include <cstdio>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int throws(int a) {
    if (leaf(a) > 1) throw Problem{"from the program", leaf(a)};
    return a;
}
KEEP static int to_library(int a) {
    return library_throws(a) + 1;
}
KEEP static int guarded(int (*function)(int), int a) {
    try {
        return library_calls(function, a);
    } catch (const Problem& problem) {
        std::printf("the program caught %s\n", problem.what);
        return leaf(problem.number);
    }
}

int main() {
    std::printf("%d\n", guarded(throws, 0));
    std::printf("%d\n", guarded(throws, 1));
    std::printf("%d\n", guarded(library_throws, 2));
    std::printf("%d\n", guarded(to_library, 3));
    std::printf("%d\n", library_catches(throws, 4));
    std::printf("%d\n", library_catches(to_library, 5));
    return 0;
}
