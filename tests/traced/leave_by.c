// A library that calls back.
#include "traced.h"

KEEP int leave_by(void (*way)(void)) {
    way();
    return 0;
}
