// The recorder in registers: entry and return of a function that only the recorder wants, with the
// cycle counter as clock. Both use registers alone that are dead at that point, and so save none.
// They do what enter_at and leave_at of lib/record/fast_handlers.cpp do, with the same order of
// stores, and give everything rare to the general way, having changed nothing.
//
//                        entry                                return
//   dead                 $1-$3, $12-$14, $24, ($25)           $1, $4-$15, $24, $25, $31
//   found there          $1 users  $25 link  $12 page         $12 page  $14 handlers
//                        $13 bias  $31 caller
//   kept in              $2 block  $3 frame  $14 handlers     $13 block  $5 frame behind
#pragma once

// clang-format off

// Jumps to `general` with $1, $12, $13, $25 and $31 as they were.
#define RECORD_ENTER_BY_CYCLES(general)                                                          \
    PTR_L   $14, TRAMPOLINE_PAGE_HANDLERS($12);                                                  \
    lw      $24, FGRAPH_HANDLERS_FAST_USERS($14);                                                \
    rdhwr   $3, $29;                                                                             \
    bne     $24, $1, general;                                                                    \
    PTR_L   $2, FGRAPH_HANDLERS_THREAD($14);                                                     \
    PTR_ADDU $2, $2, $3;                                                                         \
    PTR_L   $2, 0($2);                                                                           \
    PTR_L   $3, THREAD_TOP($2);                                                                  \
    PTR_L   $24, THREAD_LIMIT($2);                                                               \
    beq     $3, $24, general;           /* no room, or no block yet */                           \
    nop;                                                                                         \
    PTR_L   $24, FRAME_SP - FRAME_SIZE($3);                                                      \
    sltu    $24, $29, $24;                                                                       \
    beqz    $24, general;               /* the innermost frame is not an outer call */           \
    PTR_ADDIU $24, $29, 1;                                                                       \
    PTR_S   $24, FRAME_SP($3);          /* claim, publish, claim */                              \
    PTR_ADDIU $1, $3, FRAME_SIZE;                                                                \
    PTR_S   $1, THREAD_TOP($2);                                                                  \
    PTR_S   $24, FRAME_SP($3);                                                                   \
    PTR_S   $31, FRAME_RET($3);                                                                  \
    subu    $13, $25, $13;              /* position */                                           \
    sw      $13, FRAME_POSITION($3);                                                             \
    lw      $1, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    sh      $1, FRAME_USERS($3);                                                                 \
    lw      $1, FGRAPH_HANDLERS_EPOCH($14);                                                      \
    sw      $1, FRAME_EPOCH($3);                                                                 \
1:  LL      $1, THREAD_WRITER_CURSOR($2);                                                        \
    andi    $24, $1, 0xffff;                                                                     \
    beqz    $24, 2f;                    /* the chunk is full */                                  \
    PTR_ADDIU $24, $1, 8;                                                                        \
    SC      $24, THREAD_WRITER_CURSOR($2);                                                       \
    beqz    $24, 1b;                                                                             \
    rdhwr   $24, $2;                                                                             \
    sw      $24, 0($1);                 /* time, then word */                                    \
    sw      $13, 4($1);                                                                          \
    PTR_ADDIU $24, $25, -12;                                                                     \
    PTR_S   $24, FRAME_FUNC($3);                                                                 \
    PTR_L   $31, FGRAPH_HANDLERS_RETURN($14);                                                    \
    PTR_S   $29, FRAME_SP($3);          /* complete */                                           \
    move    $1, $25;                                                                             \
    jr      $1;                                                                                  \
    move    $25, $24;                                                                            \
2:  PTR_S   $3, THREAD_TOP($2);         /* give the frame back */                                \
    lw      $1, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    b       general;                                                                             \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12)

// Jumps to `general` with the frame as it was.
#define RECORD_LEAVE_BY_CYCLES(general)                                                          \
    rdhwr   $4, $29;                                                                             \
    PTR_L   $13, FGRAPH_HANDLERS_THREAD($14);                                                    \
    PTR_ADDU $13, $13, $4;                                                                       \
    PTR_L   $13, 0($13);                                                                         \
    PTR_L   $5, THREAD_TOP($13);                                                                 \
    lw      $6, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    lhu     $7, FRAME_USERS - FRAME_SIZE($5);                                                    \
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5);                                                       \
    bne     $6, $7, general;            /* other users */                                        \
    PTR_L   $31, FRAME_RET - FRAME_SIZE($5);                                                     \
    bne     $8, $29, general;           /* not the innermost frame */                            \
    PTR_L   $9, FGRAPH_HANDLERS_RETURN($14);                                                     \
    beq     $9, $31, general;           /* a tail call */                                        \
    PTR_ADDIU $10, $29, 1;                                                                       \
    PTR_S   $10, FRAME_SP - FRAME_SIZE($5);                                                      \
1:  LL      $6, THREAD_WRITER_CURSOR($13);                                                       \
    andi    $7, $6, 0xffff;                                                                      \
    beqz    $7, 2f;                     /* the chunk is full */                                  \
    PTR_ADDIU $7, $6, 8;                                                                         \
    SC      $7, THREAD_WRITER_CURSOR($13);                                                       \
    beqz    $7, 1b;                                                                              \
    rdhwr   $8, $2;                                                                              \
    lw      $9, FRAME_POSITION - FRAME_SIZE($5);                                                 \
    sw      $8, 0($6);                                                                           \
    ori     $9, $9, 1;                                                                           \
    sw      $9, 4($6);                                                                           \
    PTR_ADDIU $5, $5, -FRAME_SIZE;                                                               \
    jr      $31;                                                                                 \
    PTR_S   $5, THREAD_TOP($13);                                                                 \
2:  PTR_S   $29, FRAME_SP - FRAME_SIZE($5)
// clang-format on
