// Functions of direct_calls.c, which includes this twice, with their names made by OF: each one,
// one that replaces it, hands its arguments on and changes the result, and the pointer to the
// original.

KEEP static double OF(mix)(int a, double b, long c, float d, short e, double f, long g, double h,
                           long i, float j, int k, double l) {
    adds[7]++;
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k +
           12 * l;
}

KEEP static struct Pair OF(pair)(double re, float im) {
    return (struct Pair){re + adds[0], im};
}

KEEP static struct Large OF(large)(long start, double last) {
    struct Large large = {.last = last};
    for (int i = 0; i < 9; i++)
        large.values[i] = start + i + adds[0];
    return large;
}

static double (*OF(original_mix))(int, double, long, float, short, double, long, double, long,
                                  float, int, double);
static struct Pair (*OF(original_pair))(double, float);
static struct Large (*OF(original_large))(long, double);
UNTRACED static double OF(other_mix)(int a, double b, long c, float d, short e, double f, long g,
                                     double h, long i, float j, int k, double l) {
    return 0.5 + OF(original_mix)(a, b, c, d, e, f, g, h, i, j, k, l);
}

UNTRACED static double OF(third_mix)(int a, double b, long c, float d, short e, double f, long g,
                                     double h, long i, float j, int k, double l) {
    return 0.25 + adds[0] + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
           10 * j + 11 * k + 12 * l;
}

UNTRACED static struct Pair OF(other_pair)(double re, float im) {
    const struct Pair pair = OF(original_pair)(re, im);
    return (struct Pair){pair.im, pair.re};
}

UNTRACED static struct Large OF(other_large)(long start, double last) {
    struct Large large = OF(original_large)(start, last);
    large.values[8] = -1;
    return large;
}

KEEP static double OF(sum)(void) {
    return OF(mix)(1, 0.5, 2, 1.5f, 3, 2.5, 4, 3.5, 5, 4.5f, 6, 5.5);
}

static void OF(check)(int is_replaced) {
    EXPECT(OF(sum)() == kSum + (is_replaced ? 0.5 : 0));
    const struct Pair pair = OF(pair)(1.5, 2.5f);
    EXPECT(pair.re == (is_replaced ? 2.5 : 1.5) && pair.im == (is_replaced ? 1.5 : 2.5));
    const struct Large large = OF(large)(10, 0.75);
    EXPECT(large.values[0] == 10 && large.values[7] == 17 && large.last == 0.75);
    EXPECT(large.values[8] == (is_replaced ? -1 : 18));
}

static void OF(replace)(void) {
    REPLACE(mix);
    REPLACE(pair);
    REPLACE(large);
    OF(check)(1);
    EXPECT(register_ftrace_direct((void*)OF(mix), (void*)OF(third_mix), NULL) == -EBUSY);
    EXPECT(modify_ftrace_direct((void*)OF(mix), (void*)OF(third_mix)) == 0);
    EXPECT(OF(sum)() == kSum + 0.25);
    EXPECT(modify_ftrace_direct((void*)OF(mix), (void*)OF(mix)) == -EINVAL);
    EXPECT(unregister_ftrace_direct((void*)OF(mix)) == 0);
    EXPECT(unregister_ftrace_direct((void*)OF(mix)) == -ENOENT);
    EXPECT(modify_ftrace_direct((void*)OF(mix), (void*)OF(third_mix)) == -ENOENT);
    EXPECT(unregister_ftrace_direct((void*)OF(pair)) == 0);
    EXPECT(unregister_ftrace_direct((void*)OF(large)) == 0);
    OF(check)(0);
    // The pointer stays good.
    EXPECT(OF(original_pair)(3, 4).re == 3);
}

KEEP static void* OF(run)(void* unused) {
    while (changing) {
        const double more = OF(sum)() - kSum;
        EXPECT(more == 0 || more == 0.5 || more == 0.25);
        if (IS_RECORDED) recorded_mixes++;
    }
    return unused;
}

static void OF(change)(void) {
    for (int i = 0; i < kRounds; i++) {
        REPLACE(mix);
        EXPECT(modify_ftrace_direct((void*)OF(mix), (void*)OF(third_mix)) == 0);
        EXPECT(unregister_ftrace_direct((void*)OF(mix)) == 0);
    }
}
