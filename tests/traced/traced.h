// What the traced programs share.
#pragma once

// Keeps a function and each call of it, with its arguments, at every level of optimization.
#define KEEP __attribute__((noipa))

// A function without a sled, and without a call of _mcount.
#define UNTRACED __attribute__((patchable_function_entry(0), no_instrument_function))
