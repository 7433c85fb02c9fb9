// How a function begins and ends, for the linker and for unwinders.
#pragma once

// clang-format off

#define HIDDEN_LABEL(label) .globl label; .hidden label; label:

.macro BEGIN_FUNCTION name
    .globl \name
    .ent \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

// Ours alone.
.macro BEGIN_HIDDEN name
    .hidden \name
    BEGIN_FUNCTION \name
.endm

// What a sled's call goes through. CFI: the function that holds the sled called, and left its
// return address in $25; its own caller is in $31.
.macro BEGIN_FROM_SLED name
    BEGIN_HIDDEN \name
    .cfi_return_column 25
.endm

.macro END_FUNCTION name
    .cfi_endproc
    .end \name
    .size \name, . - \name
.endm
