// What the traced programs share.
#pragma once

// Keeps a function and each call of it, with its arguments, at every level of optimization.
#define KEEP __attribute__((noipa))
