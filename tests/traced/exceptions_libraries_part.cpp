// The traced library of exceptions_libraries.cpp, and the untraced one of exceptions_untraced.cpp.
#include "exceptions_libraries.h"

#include <cstdio>

#include "traced.h"

struct InLibrary {
    KEEP ~InLibrary() { std::printf("cleaned up in the library\n"); }
};

KEEP int library_throws(int a) {
    if (a > 0) throw Problem{"from the library", a};
    return a;
}
KEEP int library_catches(int (*function)(int), int a) {
    try {
        return function(a);
    } catch (const Problem& problem) {
        std::printf("the library caught %s\n", problem.what);
        return problem.number;
    }
}
KEEP int library_calls(int (*function)(int), int a) {
    InLibrary cleanup;
    return function(a) + 1;
}
