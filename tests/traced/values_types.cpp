// Types of C++: what its debug information tells of arguments and return values.
#include <cstdio>
#include <string>

#include "traced.h"

namespace shop {

enum class Size : unsigned char { small = 1, large };
typedef enum { OFF, ON } Switch;
struct Point {
    int x, y;
};
struct Large {
    long values[4];
};

class Counter {
  public:
    explicit Counter(int start) : count_(start) {}
    KEEP int add(int n) { return count_ += n; }
    KEEP std::string name(const std::string& prefix, std::string suffix) const {
        return prefix + std::to_string(count_) + suffix;
    }

  private:
    int count_;
};

KEEP Size grow(Size size, Switch on) {
    return on == ON ? Size::large : size;
}
KEEP Point moved(Point p, const Point& by) {
    return {p.x + by.x, p.y + by.y};
}
KEEP Large large(int first) {
    return {{first, first + 1, first + 2, first + 3}};
}
KEEP double sum(const double* values, unsigned count, float factor) {
    double all = 0;
    for (unsigned i = 0; i < count; i++)
        all += values[i];
    return all * factor;
}
KEEP bool is_long(const std::string& text) {
    return text.size() > 100;
}

}  // namespace shop

int main() {
    using namespace shop;
    Counter counter(7);
    const int added = counter.add(5);
    std::printf("%d %s\n", added, counter.name("pre", "suf").c_str());
    std::printf("%d\n", int(grow(Size::small, ON)));
    std::printf("%d\n", moved({1, 2}, {10, 20}).y);
    std::printf("%ld\n", large(7).values[3]);
    const double values[] = {1, 2, 3};
    std::printf("%g\n", sum(values, 3, 0.5f));
    std::printf("%d\n", is_long(std::string(300, 'y')));
    return 0;
}
