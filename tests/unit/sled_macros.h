// Functions with a sled, written by hand: what a compiler makes of -fpatchable-function-entry=3.
#pragma once

#include "trampoline/abi_macros.h"

// clang-format off
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
    .dword name;                                \
    FUNCTION(name);                             \
    nop;                                        \
    nop;                                        \
    nop

#define END_FUNCTION(name)                      \
    .cfi_endproc;                               \
    .end name;                                  \
    .size name, . - name

// Goes on in `target`, with everything as it was but $1. `self` is the function that this stands in.
#define TAIL_CALL(self, target)                 \
    lui $1, %hi(%neg(%gp_rel(self)));           \
    PTR_ADDU $1, $1, $25;                       \
    PTR_ADDIU $1, $1, %lo(%neg(%gp_rel(self))); \
    PTR_L $25, %got_disp(target)($1);           \
    jr $25;                                     \
    nop
// clang-format on
