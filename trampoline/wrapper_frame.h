// The frame of a wrapper that calls C++ before it goes on to libc's function of its name, with
// every argument where it was.
//
//   sp at entry ->  +-----------------------+  WRAPPER_FRAME
//                   | $31, $28              |
//                   | $11 .. $4             |
//                   | o32: the callee's     |
//   sp now ------>  +-----------------------+  0
#pragma once

#include "trampoline/abi_macros.h"

#define WRAPPER_FRAME (80 + FRAME_HOME)
#define WRAPPER_FRAME_N(n) (FRAME_HOME + 8 * ((n)-4))
#define WRAPPER_FRAME_GP (FRAME_HOME + 64)
#define WRAPPER_FRAME_RA (FRAME_HOME + 72)

// clang-format off
#define PUSH_FRAME                                  \
    PTR_ADDIU $29, $29, -WRAPPER_FRAME;             \
    .cfi_adjust_cfa_offset WRAPPER_FRAME;           \
    REG_S   $31, WRAPPER_FRAME_RA($29);             \
    .cfi_rel_offset 31, WRAPPER_FRAME_RA;           \
    REG_S   $28, WRAPPER_FRAME_GP($29);             \
    .cfi_rel_offset 28, WRAPPER_FRAME_GP

// What is left to do is POP_FRAME, which may stand in a delay slot; FRAME_POPPED stands where it is done.
#define LOAD_FROM_FRAME                             \
    REG_L   $31, WRAPPER_FRAME_RA($29);             \
    REG_L   $28, WRAPPER_FRAME_GP($29)
#define POP_FRAME PTR_ADDIU $29, $29, WRAPPER_FRAME
#define FRAME_POPPED                                \
    .cfi_adjust_cfa_offset -WRAPPER_FRAME;          \
    .cfi_restore 28;                                \
    .cfi_restore 31

#define ARGUMENTS_IN_FRAME(op)                      \
    op      $4, WRAPPER_FRAME_N(4)($29);            \
    op      $5, WRAPPER_FRAME_N(5)($29);            \
    op      $6, WRAPPER_FRAME_N(6)($29);            \
    op      $7, WRAPPER_FRAME_N(7)($29);            \
    op      $8, WRAPPER_FRAME_N(8)($29);            \
    op      $9, WRAPPER_FRAME_N(9)($29);            \
    op      $10, WRAPPER_FRAME_N(10)($29);          \
    op      $11, WRAPPER_FRAME_N(11)($29)
// clang-format on
