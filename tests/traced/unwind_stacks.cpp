//! graph: none
// Exceptions on coroutines' stacks that lie in another order than their calls, so that frames are
// not found by halves.
#include <ucontext.h>

#include <cstdio>

#include "traced.h"

enum { kStack = 65536 };
alignas(16) static char stacks[2][kStack];
static ucontext_t main_context, low, high;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int fall(int depth) {
    if (depth == 0) throw leaf(1);
    return fall(depth - 1) + leaf(depth);
}
KEEP static int guarded(int depth) {
    try {
        return fall(depth);
    } catch (int value) {
        return leaf(value);
    }
}
// Jumps to a function that throws, at -O2, when the other stack's calls have come in between.
KEEP static int switch_and_fall(int depth) {
    swapcontext(&low, &high);
    return fall(depth);
}
KEEP static int guarded_switch(int depth) {
    try {
        return switch_and_fall(depth);
    } catch (int value) {
        return leaf(value);
    }
}
KEEP static int rounds(int depth) {
    int sum = 0;
    if (depth > 0) {
        sum = rounds(depth - 1);
        __asm__ volatile("");
        return sum + 1;
    }
    for (int i = 0; i < 3; i++) {
        sum += guarded_switch(2);
        sum += guarded(10);
        swapcontext(&low, &high);
        sum += guarded(20);
    }
    return sum;
}
KEEP static int answer(int depth) {
    int sum = 0;
    if (depth > 0) {
        sum = answer(depth - 1);
        __asm__ volatile("");
        return sum;
    }
    swapcontext(&high, &low);
    return guarded(20);
}
KEEP static void on_low() {
    std::printf("low %d\n", rounds(10));
}
KEEP static void on_high() {
    for (;;)
        std::printf("high %d\n", answer(20));
}
static void make(ucontext_t* context, char* stack, ucontext_t* next, void (*function)()) {
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = kStack;
    context->uc_link = next;
    makecontext(context, function, 0);
}

int main() {
    make(&low, stacks[0], &main_context, on_low);
    make(&high, stacks[1], nullptr, on_high);
    swapcontext(&main_context, &low);
    std::printf("%d\n", guarded(5));
    return 0;
}
