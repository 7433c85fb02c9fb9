// Arguments and return values of every kind, in registers and on the stack.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traced.h"

enum color { RED, GREEN = 5, BLUE };
struct point {
    int x, y;
};
struct mixed {
    double a;
    long b;
};

KEEP static int integers(signed char a, unsigned short b, int c, long long d) {
    return a + b + c + (int)d;
}
KEEP static const char* string(const char* s, char c, bool shorter) {
    return shorter ? s + 1 : c == 'n' ? NULL : s;
}
KEEP static double floating(float a, double b) {
    return a + b;
}
KEEP static float behind_integer(int a, float b, double c, int d) {
    return (float)(a + b + c + d);
}
KEEP static long double longer(int a, long double b) {
    return a + b;
}
KEEP static short on_stack(int a, int b, int c, int d, int e, int f, int g, int h, int i, float j,
                           double k, const char* l, short m) {
    return (short)(a + b + c + d + e + f + g + h + i + (int)j + (int)k + l[0] + m);
}
KEEP static enum color enumeration(enum color c) {
    return c == RED ? GREEN : BLUE;
}
KEEP static void* pointer(int (*f)(signed char, unsigned short, int, long long), void* p) {
    return f != NULL ? (void*)f : p;
}
KEEP static int structures(struct point p, struct mixed m) {
    return p.x + p.y + (int)m.a + (int)m.b;
}
KEEP static int inner(int n) {
    return n + 1;
}
KEEP static int outer(int n) {
    return inner(n) * 2;
}

// Each string in a page of its own, which is followed by none.
static char* at_page_end(const char* text) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(two + page, page, PROT_NONE);
    return memcpy(two + page - strlen(text), text, strlen(text));
}

int main(void) {
    char large[400];
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    char* ends = at_page_end("end");
    char across[] = "four";
    printf("%d\n", integers(-1, 65535, -100, -5000000000));
    printf("%d\n", string("he said \"no\"\n", 'x', true) != NULL);
    string((const char*)16, '\0', true);
    string(NULL, 'n', false);
    string(large, 'y', false);
    string(ends, 'z', false);      // no 0 before the end of what can be read
    string(ends + 3, 'z', false);  // nothing can be read
    string(across, 'z', false);
    printf("%g %g\n", floating(1.5f, -2.25), (double)behind_integer(1, 0.5f, 2.25, 3));
    printf("%g\n", (double)longer(1, 1e10L));
    printf("%d\n", on_stack(1, 2, 3, 4, 5, 6, 7, 8, 9, 10.5f, 11.25, "stack", -12));
    printf("%d\n", enumeration(BLUE) + enumeration(RED));
    printf("%d\n", pointer(integers, large) == (void*)integers);
    printf("%d\n", structures((struct point){1, -2}, (struct mixed){0.5, 77}));
    printf("%d\n", outer(3));
    return 0;
}
