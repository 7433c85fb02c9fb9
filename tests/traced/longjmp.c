// longjmp leaves several calls at once.
#include <setjmp.h>
#include <stdio.h>

#include "traced.h"

static jmp_buf target;

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int third(int a) {
    if (leaf(a) == 4) longjmp(target, a);
    return leaf(a);
}
KEEP static int second(int a) {
    return third(a + 1) + 1;
}
KEEP static int first(int a) {
    return second(a + 1) + 1;
}

KEEP static int guarded(int a) {
    int how = setjmp(target);
    if (how != 0) return leaf(how);
    return first(a) + 1;
}

// Nothing traced is called between the jump and the return.
KEEP static int guarded_plain(int a) {
    int how = setjmp(target);
    return how != 0 ? how : first(a) + 1;
}

int main(void) {
    printf("%d\n", guarded(0));
    printf("%d\n", guarded(1));
    printf("%d\n", guarded_plain(1));
    printf("%d\n", guarded(2));
    return 0;
}
