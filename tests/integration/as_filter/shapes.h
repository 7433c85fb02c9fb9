#pragma once
#include <string>

// COMDAT in both files; the linker keeps the first one's.
struct Shape {
    explicit Shape(int sides) : sides_(sides) {}
    virtual ~Shape() = default;
    virtual int area() const { return sides_ * 10; }
    virtual std::string name() const;

  protected:
    int sides_;
};

template <typename T>
[[gnu::noinline]] T doubled(T value) {
    return value + value;
}

[[gnu::noinline]] inline int shared_count() {
    static int count = 0;
    return ++count;
}

int other_file(int x);
