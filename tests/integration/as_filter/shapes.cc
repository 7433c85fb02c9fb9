#include "shapes.h"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

std::string Shape::name() const {
    return "shape";
}

namespace {

struct Square final : Shape {
    Square() : Shape(4) {}
    int area() const override { return sides_ * sides_; }
    std::string name() const override { return "square"; }
};

[[gnu::noinline]] int risky(int x) {
    if (x > 2) throw std::out_of_range("too much");
    return doubled(x);
}

[[gnu::noinline]] int guarded(int x) {
    std::string held = "held";
    try {
        return risky(x);
    } catch (const std::exception& error) {
        std::printf("%s while %s\n", error.what(), held.c_str());
        return -1;
    }
}

}  // namespace

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>());
    shapes.push_back(std::make_unique<Shape>(3));
    int sum = 0;
    for (const auto& shape : shapes) {
        auto add = [&sum](const Shape& s) __attribute__((noinline)) {
            sum += s.area();
        };
        add(*shape);
        std::printf("%s\n", shape->name().c_str());
    }
    std::printf("%d %d %d %d\n", sum, guarded(1), guarded(5), other_file(4));
    std::printf("%s %d\n", doubled(std::string("ab")).c_str(), shared_count());
    return 4;
}
