//! plain: exceptions_libraries_part.cpp
// Exceptions through, out of and into code that is not traced: a library, and libc's qsort.
#include "exceptions_libraries.h"

#include <cstdio>
#include <cstdlib>

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
KEEP static int compare(const void*, const void* b) {
    return throws(*static_cast<const int*>(b));
}
KEEP static int sort(int a) {
    int values[] = {0, a};
    std::qsort(values, 2, sizeof values[0], compare);
    return leaf(values[0]);
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
    std::printf("%d\n", guarded(to_library, 2));
    std::printf("%d\n", guarded(sort, 3));
    std::printf("%d\n", library_catches(throws, 4));
    std::printf("%d\n", library_catches(to_library, 5));
    std::printf("%d\n", library_catches(sort, 6));
    return 0;
}
