// Structures returned in one register, in two, in floating-point registers and in memory, and
// passed by value.
#include <stdio.h>
#include <string.h>

#include "traced.h"

struct One {
    short a, b;
};
struct Two {
    long a, b;
};
struct Floating {
    double re, im;
};
struct Floats {
    float x, y;
};
struct Mixed {
    double a;
    long b;
};
struct Large {
    long values[9];
    char name[13];
};

KEEP static struct One one(int a) {
    return (struct One){(short)a, (short)-a};
}
KEEP static struct Two two(long a, long b) {
    return (struct Two){a + b, a - b};
}
KEEP static struct Floating floating(double a) {
    return (struct Floating){a * 0.5, a * 2};
}
KEEP static struct Floats floats(float a) {
    return (struct Floats){a + 1, a - 1};
}
KEEP static struct Mixed mixed(double a, long b) {
    return (struct Mixed){a + 1, b + 1};
}
KEEP static struct Large large(long start, const char* name) {
    struct Large out = {.values = {0}};
    for (int i = 0; i < 9; i++)
        out.values[i] = start * i;
    strcpy(out.name, name);
    return out;
}
KEEP static long by_value(struct One a, struct Two b, struct Floating c, struct Mixed d,
                          struct Large e, struct Floats f) {
    return a.a + b.b + (long)c.im + d.b + e.values[8] + (long)strlen(e.name) + (long)f.y;
}
KEEP static struct Large changed(struct Large it) {
    const struct One a = one(1);
    const struct Two b = two(2, 3);
    const struct Floating c = floating(4);
    const struct Mixed d = mixed(5, 6);
    const struct Floats e = floats(7);
    it.values[0] = by_value(a, b, c, d, it, e);
    return it;
}

int main(void) {
    struct One a = one(7);
    struct Two b = two(1L << 30, 3);
    struct Floating c = floating(1.25);
    struct Floats d = floats(0.5f);
    struct Mixed e = mixed(2.5, -9);
    struct Large f = large(11, "a dozen char");
    printf("%d %d, %ld %ld, %g %g\n", a.a, a.b, b.a, b.b, c.re, c.im);
    printf("%g %g, %g %ld\n", (double)d.x, (double)d.y, e.a, e.b);
    printf("%ld %ld %s\n", f.values[1], f.values[8], f.name);
    f = changed(f);
    printf("%ld %ld %s\n", f.values[0], f.values[8], f.name);
    return 0;
}
