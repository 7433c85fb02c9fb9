// A library with a C++ name of a thousand letters, which is deeply nested.
#include "traced.h"

#define TEN "1a1a1a1a1a1a1a1a1a1a"
#define FIFTY TEN TEN TEN TEN TEN

KEEP int deep(int a) __asm__("_ZN" FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY
                             "Ei");
KEEP int deep(int a) {
    return a + 1;
}

KEEP int swap_run(int a) {
    return deep(a);
}
