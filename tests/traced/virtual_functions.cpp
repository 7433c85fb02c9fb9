// Virtual functions: plain, through a second base (thunks), through a virtual base, and a
// destructor through a pointer.
#include <cstdio>
#include <memory>

#include "traced.h"

struct Shape {
    KEEP Shape() {}
    KEEP virtual int corners() const { return 0; }
    KEEP virtual int area(int scale) const = 0;
    KEEP virtual ~Shape() {}
};

struct Named {
    KEEP Named() {}
    KEEP virtual const char* name() const { return "unnamed"; }
    KEEP virtual ~Named() {}
};

struct Square : Shape, Named {
    int side;
    KEEP explicit Square(int s) : side(s) {}
    KEEP int corners() const override { return 4; }
    KEEP int area(int scale) const override { return scale * side * side; }
    KEEP const char* name() const override { return side == 1 ? "unit" : "square"; }
    KEEP ~Square() override { std::printf("destroyed %d\n", side); }
};

struct Blob : virtual Shape {
    KEEP Blob() {}
    KEEP ~Blob() override {}
    KEEP int area(int scale) const override { return scale * corners(); }
};

KEEP static int measure(const Shape& shape) {
    const int corners = shape.corners();
    return 100 * corners + shape.area(2);
}
KEEP static const char* name_of(const Named& named) {
    return named.name();
}

int main() {
    {
        Square square(3);
        std::printf("%d\n", measure(square));
        std::printf("%s\n", name_of(square));
    }
    {
        Blob blob;
        std::printf("%d\n", measure(blob));
    }
    const Named* named = new Square(1);
    std::printf("%s\n", named->name());
    delete named;
    return 0;
}
