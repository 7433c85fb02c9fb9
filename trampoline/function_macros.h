// How the functions that a sled's call goes through begin and end, for the linker and for
// unwinders.
#pragma once

// clang-format off

// CFI: the function that holds the sled called, and left its return address in $25; its own caller
// is in $31.
.macro BEGIN_FROM_SLED name
    .globl \name
    .hidden \name
    .ent \name
    .type \name, @function
\name:
    .cfi_startproc
    .cfi_return_column 25
.endm

.macro END_FUNCTION name
    .cfi_endproc
    .end \name
    .size \name, . - \name
.endm
