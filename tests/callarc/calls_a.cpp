#include "calls.h"

extern "C" {
static NOINLINE void helper() {
    leaf();
    leaf();
}
}

void same_name_there(int n) {
    for (int i = 0; i < n; i++)
        helper();
    twice(1);
}
