#include "calls.h"

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual int sides() const = 0;
};
struct Named {
    virtual ~Named() = default;
    virtual int length(int n) const = 0;
};
struct Square final : Shape, Named {
    NOINLINE int sides() const override {
        leaf();
        return 4;
    }
    // Through a thunk, where it is called as a Named.
    NOINLINE int length(int n) const override {
        leaf();
        return n;
    }
};
struct Triangle final : Shape {
    NOINLINE int sides() const override { return 3; }
};

NOINLINE int throws(int n) {
    leaf();
    if (n % 2 == 0) throw n;
    return n;
}

NOINLINE int catches(int n) {
    try {
        return throws(n);
    } catch (int) {
        leaf();
        return 0;
    }
}

NOINLINE int sides_of(const Shape& shape) {
    return shape.sides() + 1;
}
NOINLINE int length_of(const Named& named, int n) {
    return named.length(n) + 1;
}
using Member = int (Square::*)() const;
NOINLINE int by_member(const Square& square, Member member) {
    return (square.*member)() + 1;
}

}  // namespace

int virtual_calls(int n) {
    auto* square = new Square;
    Triangle triangle;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += sides_of(*square) + sides_of(triangle) + length_of(*square, i) + twice(i);
        sum += by_member(*square, &Square::sides) + catches(i);
        auto lambda = [&](int k) NOINLINE { return twice(k) + i; };
        sum += lambda(i);
    }
    delete square;
    return sum;
}
