// Functions with every kind of prologue. Nothing here is run: it is compiled with -pg in many ways,
// and what the runtime reads from the code is compared with what the compiler says of it.
#include <stdarg.h>

int other(int x);
void use(void* p);
int call(int (*f)(int));
long long wide(long long a, long long b);

struct big {
    int words[100];
};

int leaf(int a) {
    return a + 1;
}
int leaf_of_many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    return a + b * c - d + e * f - g + h * i - j;
}
double leaf_of_doubles(double a, double b) {
    return a * b + 1;
}
void empty(void) {}

int with_call(int a) {
    return other(a) + 1;
}
int tail_call(int a) {
    return other(a + 1);
}
int indirect_tail_call(int (*f)(int), int a) {
    return f(a - 1);
}
int many_saved(int a, int b, int c, int d) {
    int e = other(a), f = other(b), g = other(c), h = other(d), i = other(a + 1);
    int j = other(b + 1), k = other(c + 1), l = other(d + 1);
    return a + b + c + d + e + f + g + h + i + j + k + l + other(e) + other(f);
}
double saves_doubles(double a, double b, double c, int n) {
    return a * other(n) + b * other(n + 1) + c * other(n + 2) + a * b * c;
}
long long wide_arguments(long long a, long long b) {
    return wide(b, a) + a;
}

// The compiler would save nothing on the way that is taken first.
int shrink_wrapped(int a, int b) {
    if (a == 0) return b;
    return other(a) + other(b) + a;
}
int shrink_wrapped_loop(int* p, int n) {
    if (n <= 0) return 0;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += other(p[i]);
    return sum;
}

int frame_of_a_page(int a) {
    char room[4096];
    use(room);
    return room[a];
}
// Around the 32 KiB that an offset reaches, and more.
#define FRAME(size)               \
    int frame_##size(int a) {     \
        char room[size];          \
        use(room);                \
        return room[a];           \
    }                             \
    int leaf_##size(int a) {      \
        volatile char room[size]; \
        room[a] = 1;              \
        return room[a + 1];       \
    }
FRAME(32640)
FRAME(32700)
FRAME(32760)
FRAME(32768)
FRAME(32900)
FRAME(40000)
FRAME(65536)
FRAME(100000)
FRAME(3000000)

int large_and_saved(int a, int b, int c) {
    char room[70000];
    use(room);
    return other(a) + other(b) + other(c) + room[a] + room[b] + room[c];
}
int with_alloca(int n) {
    char* p = __builtin_alloca(n);
    use(p);
    return p[3] + other(n);
}
int with_alloca_and_large(int n) {
    char room[50000];
    char* p = __builtin_alloca(n);
    use(p);
    use(room);
    return p[3] + room[n];
}
int with_array(int n) {
    int room[n];
    use(room);
    return room[n / 2];
}
int aligned_room(int a) {
    int room[8] __attribute__((aligned(16)));
    use(room);
    return room[a];
}

int of_any(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int of_any_with_calls(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n-- > 0)
        sum += other(va_arg(list, int));
    va_end(list);
    return sum;
}
double of_any_large(double x, ...) {
    char room[60000];
    va_list list;
    va_start(list, x);
    use(room);
    x += va_arg(list, double);
    va_end(list);
    return x + room[9];
}

int with_nested(int n) {
    int leaf_inside(int x) {
        return x + n;
    }
    int inside(int x) {
        return other(x + n);
    }
    return call(leaf_inside) + call(inside) + n;
}
int with_goto(int n) {
    __label__ out;
    void inside(void) {
        if (other(n)) goto out;
    }
    inside();
    return 1;
out:
    return 2;
}

struct big by_value(struct big b) {
    b.words[other(3)] = 7;
    return b;
}
int takes_big(struct big b, int n) {
    return b.words[n] + other(n);
}

void* return_address(int a) {
    other(a);
    return __builtin_return_address(0);
}
void* frame_address(void) {
    return __builtin_frame_address(0);
}
int uses_every_register(int a) {
    __asm__ volatile("" ::
                         : "$16", "$17", "$18", "$19", "$20", "$21", "$22", "$23", "$31", "$f20",
                           "$f22", "$f24");
    return a;
}
int saves_only_ra(int a) {
    __asm__ volatile("" ::: "$31");
    return a;
}
__attribute__((noreturn)) void never_returns(int a) {
    use(&a);
    __builtin_unreachable();
}
static __attribute__((noinline)) int hidden(int a) {
    return other(a) * 2;
}
static __attribute__((noinline)) int hidden_leaf(int* a) {
    return ++*a;
}
int calls_hidden(int a) {
    return hidden(a) + hidden_leaf(&a) + hidden(a + 1);
}
__attribute__((aligned(64))) int aligned(int a) {
    return other(a);
}
__attribute__((optimize("O3"))) int copies(int* a, int* b) {
    for (int i = 0; i < 1000; i++)
        a[i] = b[i] + 1;
    return other(a[5]);
}
