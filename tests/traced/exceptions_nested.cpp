// Exceptions inside exceptions: in handlers, destructors and constructors, rethrown and kept.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "traced.h"

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static void fail(const char* what) {
    throw std::runtime_error(what);
}
struct Cleanup {
    const char* name;
    KEEP explicit Cleanup(const char* n) : name(n) {}
    // Throws and catches while another exception is on its way.
    KEEP ~Cleanup() {
        try {
            fail("inside a destructor");
        } catch (const std::exception& problem) {
            std::printf("%s: %s\n", name, problem.what());
        }
    }
};
struct ThrowsAtEnd {
    KEEP ~ThrowsAtEnd() noexcept(false) { fail("out of a destructor"); }
};
struct Member {
    KEEP ~Member() { std::printf("member destroyed\n"); }
};
struct Whole {
    Member member;
    KEEP explicit Whole(const char* what) { fail(what); }
};
KEEP static int with_cleanups(int a) {
    Cleanup outer("outer");
    if (a > 0) {
        Cleanup inner("inner");
        fail("with cleanups");
    }
    return leaf(a);
}
KEEP static void throws_in_handler(int a) {
    try {
        with_cleanups(a);
    } catch (...) {
        leaf(a);
        fail("in a handler");
    }
}
KEEP static void rethrows(int levels) {
    try {
        if (levels == 0)
            throws_in_handler(1);
        else
            rethrows(levels - 1);
    } catch (...) {
        throw;
    }
}
KEEP static const char* destructor_throws() {
    try {
        ThrowsAtEnd thrower;
        leaf(1);
    } catch (const std::exception& problem) {
        std::printf("caught %s\n", problem.what());
    }
    return "survived";
}
// The constructor of a static variable fails, and is tried again at the next call.
struct Fragile {
    KEEP explicit Fragile(int tries) {
        if (tries < 2) fail("in a static's constructor");
    }
};
KEEP static int static_value(int tries) {
    static Fragile fragile(tries);
    return leaf(tries);
}
KEEP static int keep_and_rethrow(int a) {
    std::exception_ptr kept;
    try {
        fail("kept");
    } catch (...) {
        kept = std::current_exception();
    }
    leaf(a);
    try {
        std::rethrow_exception(kept);
    } catch (const std::exception& problem) {
        std::printf("caught %s\n", problem.what());
    }
    return leaf(a);
}

int main() {
    try {
        rethrows(3);
    } catch (const std::exception& problem) {
        std::printf("caught %s\n", problem.what());
    }
    std::printf("%s\n", destructor_throws());
    try {
        Whole whole("in a constructor");
    } catch (const std::exception& problem) {
        std::printf("caught %s\n", problem.what());
    }
    for (int tries = 0; tries < 4; tries++) {
        try {
            std::printf("%d\n", static_value(tries));
        } catch (const std::exception& problem) {
            std::printf("caught %s\n", problem.what());
        }
    }
    std::printf("%d\n", keep_and_rethrow(1));
    return 0;
}
