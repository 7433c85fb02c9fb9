//! with: comdat_other.cpp
// Inline functions, templates and static members in two objects; the first function of each object
// is one that the linker keeps once.
#include "comdat.h"

#include <cstdio>

namespace {
KEEP int in_anonymous(int a) {
    return a - 1;
}
}  // namespace

namespace outer::inner {
KEEP static int in_namespace(double) {
    return 5;
}
}  // namespace outer::inner

KEEP static int overloaded(int) {
    return 1;
}
KEEP static int overloaded(const char*, unsigned long) {
    return 2;
}

struct Adder {
    int base;
    KEEP int operator()(int a) const { return base + a; }
    KEEP Adder& operator+=(int a) {
        base += a;
        return *this;
    }
};

template <typename F>
KEEP int call_with(F&& function, int a) {
    return function(a);
}

int main() {
    std::printf("%d\n", shared_first(1));
    std::printf("%d\n", shared_counter());
    std::printf("%d\n", other_part(10));
    Cell<int> cell(3);
    Cell<double> real(1.5);
    std::printf("%d\n", cell.twice());
    std::printf("%g\n", real.twice());
    std::printf("%d\n", Cell<int>::how_many());
    std::printf("%d\n", sum_of(1, 2, 3));
    std::printf("%d\n", in_anonymous(1));
    std::printf("%d\n", outer::inner::in_namespace(1));
    std::printf("%d\n", overloaded(1));
    std::printf("%d\n", overloaded("", 1));
    Adder adder{10};
    adder += 5;
    std::printf("%d\n", call_with(adder, 2));
    int seen = 0;
    auto lambda = [&seen](int a) __attribute__((noipa)) {
        seen = a;
        return a * 2;
    };
    std::printf("%d\n", call_with(lambda, 4));
    std::printf("%d\n", seen);
    return 0;
}
