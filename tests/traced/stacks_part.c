// The library of stacks.c, without sleds.
__attribute__((noipa)) void part_inner(void (*function)(int), int a, int* calls) {
    function(a);
    ++*calls;
}

void part_call(void (*function)(int), int a) {
    int calls = 0;
    part_inner(function, a, &calls);
    if (calls == 0) __builtin_trap();
}
