// The recorder in registers: entry and return of a function that only the recorder wants, with the
// cycle counter as clock. Both use registers alone that are dead at that point, and so save none,
// and give everything rare to the general way, with every register that it needs as it was.
//
//                        entry                                return
//   dead                 $1-$3, $12-$14, $24, ($25)           $1, $4-$15, $24, $25, $31
//   found there          $1 users  $25 link  $31 caller
#pragma once

#include "trampoline/record_steps.h"

// clang-format off

// `position` holds the function's position once `set_position` has run, which may change $14.
// $3: the thread's block, $13: the stack pointer, claimed by the recorder.
#define RECORD_ENTER_BY_CYCLES(set_position, position, general, full)                            \
    FIND_ROOM($29, $13, general);                                                                \
    PTR_ADDIU $24, $2, FRAME_SIZE;                                                               \
    set_position;                                                                                \
    PUSH_CLAIMED($13, position);                                                                 \
    CLAIM_EVENT($3, $1, $24, full);                                                              \
    rdhwr   $12, $2;                                                                             \
    WRITE_AND_COMPLETE($12, position, $29);                                                      \
    jr      $25;                                                                                 \
    PTR_ADDIU $25, $25, -12

// $13: the thread pointer, $7: the stack pointer, claimed by the recorder.
// To `others` where the innermost frame is not this call's, or not the recorder's alone, with what
// FIND_FRAME has found.
#define RECORD_LEAVE_BY_CYCLES(others, general)                                                  \
    LOAD_BLOCK($13);                                                                             \
    FIND_FRAME($29, $7, others);                                                                 \
    CLAIM_EVENT($13, $4, $6, 2f);                                                                \
    rdhwr   $8, $2;                                                                              \
    WRITE_LEAVE($8);                                                                             \
    jr      $31;                                                                                 \
    PTR_S   $5, THREAD_TOP($13);                                                                 \
2:  b       general;                                                                             \
    PTR_S   $29, FRAME_SP - FRAME_SIZE($5)
// clang-format on
