// A traced call leaves errno alone, also when the recorder needs a new chunk of its file.
#include <errno.h>
#include <stdio.h>

#include "traced.h"

KEEP static int step(int a) {
    return a + 1;
}

int main(void) {
    int wrong = 0;
    for (int i = 0; i < 50000; i++) {
        errno = i;
        if (step(i) != i + 1 || errno != i) wrong++;
    }
    printf("%d\n", wrong);
    return wrong != 0;
}
