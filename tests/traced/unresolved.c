// A library that can't be loaded: nobody defines what it calls.
#include "traced.h"

int defined_nowhere(int a);

KEEP int swap_run(int a) {
    return defined_nowhere(a);
}
