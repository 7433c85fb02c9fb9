// See traced_functions.h.
#include "tests/unit/sled_macros.h"

    .set noreorder
    .set noat

#define TRACED(name, body)      \
    SLEDDED(name);              \
    TAIL_CALL(name, body);      \
    END_FUNCTION(name)

TRACED(traced_add, add_body)
TRACED(traced_subtract, subtract_body)
TRACED(traced_sum, sum_body)
TRACED(traced_run, run_body)
TRACED(traced_double, double_body)
TRACED(traced_scale, scale_body)
TRACED(other_add, add_body)
TRACED(_ZN5shape4areaEi, area_body)

    .section .note.GNU-stack, "", @progbits
