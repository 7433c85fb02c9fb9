// The recorder in registers: entry and return of a function that only the recorder wants, with the
// cycle counter as clock. Both use registers alone that are dead at that point, and so save none,
// and give everything rare to the general way, with every register that it needs as it was.
//
//                        entry                                return
//   dead                 $1-$3, $12-$14, $24, ($25)           $1, $4-$15, $24, $25, $31
//   found there          $1 users  $25 link  $12 page         $12 page  $14 handlers
//                        $13 bias  $31 caller
#pragma once

#include "trampoline/record_steps.h"

// clang-format off

#define RECORD_ENTER_BY_CYCLES(general)                                                          \
    PTR_L   $14, TRAMPOLINE_PAGE_HANDLERS($12);                                                  \
    lw      $24, FGRAPH_HANDLERS_FAST_USERS($14);                                                \
    bne     $24, $1, general;                                                                    \
    nop;                                                                                         \
    FIND_BLOCK($2, $3);                                                                          \
    FIND_ROOM($29, 3f);                                                                          \
    PUSH_CLAIMED;                                                                                \
    CLAIM_EVENT($2, $1, $24, 2f);                                                                \
    rdhwr   $24, $2;                                                                             \
    WRITE_AND_COMPLETE($24, $29);                                                                \
    jr      $25;                                                                                 \
    move    $25, $24;                                                                            \
2:  PTR_S   $3, THREAD_TOP($2);         /* give the frame back */                                \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12);                                                      \
3:  b       general;                                                                             \
    lw      $1, FGRAPH_HANDLERS_FAST_USERS($14)

#define RECORD_LEAVE_BY_CYCLES(general)                                                          \
    FIND_BLOCK($13, $4);                                                                         \
    FIND_FRAME($29, general);                                                                    \
    CLAIM_EVENT($13, $4, $7, 2f);                                                                \
    rdhwr   $8, $2;                                                                              \
    WRITE_LEAVE($8);                                                                             \
    jr      $31;                                                                                 \
    PTR_S   $5, THREAD_TOP($13);                                                                 \
2:  b       general;                                                                             \
    PTR_S   $29, FRAME_SP - FRAME_SIZE($5)
// clang-format on
