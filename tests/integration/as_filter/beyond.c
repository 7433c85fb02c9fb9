int beyond(int x, int (*callback)(int));

static __attribute__((noinline)) int step(int x) {
    return x - 1;
}

/* A tail call, and a frame. */
int beyond(int x, int (*callback)(int)) {
    if (x > 2) return beyond(step(x), callback) + callback(x);
    return callback(x + 1);
}
