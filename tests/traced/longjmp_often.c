//! flags: -fno-optimize-sibling-calls -Wno-infinite-recursion
// A thousand jumps across one call and across many, and jumps inside the frames of other ones.
#include <setjmp.h>
#include <stdio.h>

#include "traced.h"

static jmp_buf outer_target, inner_target;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int jump(jmp_buf* target, int depth) {
    if (depth == 0) longjmp(*target, leaf(1));
    return jump(target, depth - 1) + 1;
}
KEEP static int once(int depth) {
    int how = setjmp(inner_target);
    return how == 0 ? jump(&inner_target, depth) : leaf(how);
}
// Jumps inside, then out from below the frame that the inner jumps came back to.
KEEP static int nested(int depth) {
    volatile int sum = 0;
    if (setjmp(outer_target) == 0) {
        sum += once(depth);
        if (setjmp(inner_target) == 0) jump(&inner_target, depth);
        sum += leaf(depth);
        jump(&outer_target, depth);
    }
    return sum + leaf(depth);
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += once(0);
    for (int i = 0; i < 1000; i++)
        sum += once(20);
    for (int i = 0; i < 10; i++)
        sum += nested(5);
    printf("%d\n", sum);
    return 0;
}
