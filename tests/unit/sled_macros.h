// Functions with a sled, written by hand: what a compiler makes of -fpatchable-function-entry=3.
#pragma once

#include "trampoline/abi_macros.h"

// clang-format off
#if _MIPS_SZPTR == 64
#define POINTER_TO(name) .8byte name
#else
#define POINTER_TO(name) .4byte name
#endif

#define FUNCTION(name)                          \
    .text;                                      \
    .align 3;                                   \
    .globl name;                                \
    .ent name;                                  \
    .type name, @function;                      \
    name: .cfi_startproc

#define SLEDDED(name)                           \
    .section __patchable_function_entries, "aw"; \
    .align 3;                                   \
    POINTER_TO(name);                           \
    FUNCTION(name);                             \
    nop;                                        \
    nop;                                        \
    nop

#define END_FUNCTION(name)                      \
    .cfi_endproc;                               \
    .end name;                                  \
    .size name, . - name

// Goes on in `target`, with everything as it was but $1. `self` is the function that this stands in.
#if _MIPS_SIM == _ABIO32
#define GP_OF(self)                             \
9:  LOAD_GP_FROM($1, 9b, $25);                  \
    addiu $1, $1, 9b - self
#else
#define GP_OF(self) LOAD_GP_FROM($1, self, $25)
#endif
#define TAIL_CALL(self, target)                 \
    GP_OF(self);                                \
    PTR_L $25, GOT(target)($1);                 \
    jr $25;                                     \
    nop
// clang-format on
