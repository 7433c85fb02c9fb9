// What the traced programs share.
#pragma once

// Keeps a function and each call of it, with its arguments, at every level of optimization.
#define KEEP __attribute__((noipa))

// A function without a sled.
#define UNTRACED __attribute__((patchable_function_entry(0)))
