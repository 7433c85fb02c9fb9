//! shared: swap_a.c
//! record: --buffer=256K
//! modules: 232
//! overwritten: *
//! graph: none
// With a buffer of the newest events, descriptions of modules stay when events around them go.
#define NOISE 60000
#include "dlopen_many.c"
