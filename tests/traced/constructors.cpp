// What runs before main and after it.
#include <cstdio>
#include <cstdlib>

#include "traced.h"

struct Noisy {
    const char* name;
    KEEP explicit Noisy(const char* n) : name(n) { std::printf("+%s\n", name); }
    KEEP ~Noisy() { std::printf("-%s\n", name); }
};

static Noisy first("first");
static Noisy second("second");

KEEP static Noisy& local() {
    static Noisy it("local");
    return it;
}

KEEP static void helper() {
    std::printf("helper\n");
}
__attribute__((constructor)) static void before_main() {
    helper();
}
__attribute__((destructor)) static void after_main() {
    helper();
}
KEEP static void at_exit() {
    std::printf("at exit\n");
}

int main() {
    std::atexit(at_exit);
    std::printf("%s\n", local().name);
    return 0;
}
