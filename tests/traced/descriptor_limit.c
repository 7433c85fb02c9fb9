//! before: ulimit -n 64
// Few descriptors are allowed from the start on: the recording takes none of the first.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 30000 };

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int work(void) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = leaf(sum);
    return sum;
}

int main(void) {
    for (int i = 0; i < 8; i++)
        printf("%d ", open("/", O_RDONLY));
    printf("%d calls\n", work());
    return 0;
}
