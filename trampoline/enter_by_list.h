// clang-format off
// The plain case of an entry that is not the recorder's alone: what fgraph_enter does for a call that
// is nested in the innermost one of this stack and not made from inside a callback, if there is a
// dispatch list of the sled's users. For the order of stores see lib/fgraph/frames.h and callbacks.h.
//
//   page (here)                           ftrace_light_caller
//   save what is live, push the frame
//   list of the users        ->           call the list's callbacks, complete the frame,
//   (none, or not plain:                  restore, back into the function
//    ftrace_regs_caller_saved)
//
//   $3 thread's block, $4 frame, $7 list; the frame begins with the call that callbacks get, and
//   stands at FTRACE_REGS_CALL while they run
#pragma once

#include "trampoline/function_macros.h"
#include "trampoline/live_registers.h"
#include "trampoline/record_steps.h"


// The frame's users and epoch := the list's, which is one copy where registers are wide enough.
#if FRAME_REG == 8
#define SET_USERS(scratch, other)                                                                \
    ld      scratch, LIST_STAMP($7);                                                             \
    sd      scratch, FRAME_EPOCH($4)
#else
#define SET_USERS(scratch, other)                                                                \
    lw      scratch, LIST_STAMP($7);                                                             \
    lw      other, LIST_USERS($7);                                                               \
    sw      scratch, FRAME_EPOCH($4);                                                            \
    sw      other, FRAME_USERS($4)
#endif

// Goes to `rare` with what is live saved, and $1 as it was. `position` holds the function's position
// once `set_position` has run, which may change $14. `mark` is the store after which the users and
// their list are read, `with_sync` takes its place where the system has no membarrier.
#define ENTER_BY_LIST(mark, with_sync, set_position, position, rare)                             \
    LOAD_BLOCK($3);                                                                              \
    SAVE_LIVE;                                                                                   \
    PTR_ADDIU $7, $29, FTRACE_REGS_SIZE + FRAME_MARKS;                                           \
    PTR_L   $4, THREAD_TOP($3);                                                                  \
    PTR_L   $2, THREAD_LOW($3);                                                                  \
    PTR_L   $5, THREAD_LIMIT($3);                                                                \
    PTR_L   $6, FRAME_SP - FRAME_SIZE($4);                                                       \
    beq     $4, $5, rare;                                                                        \
    sltu    $2, $2, $7;                                                                          \
    beqz    $2, rare;                                                                            \
    sltu    $6, $7, $6;                                                                          \
    beqz    $6, rare;                                                                            \
    PTR_L   $2, THREAD_IN_CALLBACK($3);                                                          \
    bnez    $2, rare;                                                                            \
    PTR_ADDIU $7, $29, FTRACE_REGS_SIZE + FRAME_CLAIMED;                                         \
    PTR_ADDIU $6, $4, FRAME_SIZE;                                                                \
    PTR_S   $7, FRAME_SP($4);                                                                    \
    PTR_S   $6, THREAD_TOP($3);                                                                  \
    PTR_S   $7, FRAME_SP($4);                                                                    \
    HIDDEN_LABEL(mark)                                                                           \
    PTR_S   $4, THREAD_IN_CALLBACK($3); /* see CallbackMark */                                   \
    PTR_S   $31, FRAME_RET($4);                                                                  \
    lhu     $6, LOW_HALF - 4($25);      /* users_now */                                          \
    PTR_L   $5, THREAD_LISTS($3);                                                                \
    PTR_SLL $6, $6, FGRAPH_POINTER_BITS;                                                         \
    PTR_ADDU $5, $5, $6;                                                                         \
    PTR_L   $7, 0($5);                                                                           \
    beqz    $7, 7f;                                                                              \
    PTR_ADDIU $5, $25, -12;                                                                      \
    SET_USERS($6, $2);                                                                           \
    set_position;                                                                                \
    PTR_S   $5, FRAME_FUNC($4);                                                                  \
    sw      position, FRAME_POSITION($4);                                                        \
    PTR_S   $7, FRAME_LIST($4);                                                                  \
    PTR_L   $2, LIST_ENTER($7);                                                                  \
    PTR_S   $4, FTRACE_REGS_CALL($29);                                                           \
    SET_NO_FRAME_SIZE;                                                                           \
    jr      $2;                                                                                  \
    REG_S   $0, FTRACE_REGS_FLAGS($29);                                                          \
    HIDDEN_LABEL(with_sync)                                                                      \
    PTR_S   $4, THREAD_IN_CALLBACK($3);                                                          \
    sync;                                                                                        \
    b       mark + 8;                                                                            \
    nop;                                                                                         \
7:  PTR_S   $0, THREAD_IN_CALLBACK($3); /* no list: the frame goes */                            \
    b       rare;                                                                                \
    PTR_S   $4, THREAD_TOP($3)

// Where a register is as wide as FTRACE_REGS_FLAGS and FTRACE_REGS_FRAME_SIZE, one store does both.
#if FRAME_REG == 4
#define SET_NO_FRAME_SIZE sw $0, FTRACE_REGS_FRAME_SIZE($29)
#else
#define SET_NO_FRAME_SIZE
#endif

// One callback of a list that is `at` in it, whose result doesn't matter.
.macro CALL_OF_LIST at, k
    PTR_L   $25, \at + \k * LIST_PAIR($7)
    PTR_L   $5, \at + \k * LIST_PAIR + FGRAPH_POINTER($7)
    jalr    $25                                 // (call, ops, regs)
    move    $6, $29
    PTR_L   $4, FTRACE_REGS_CALL($29)
    .if \k + 1 < LIST_PAIRS
    PTR_L   $7, FRAME_LIST($4)
    .endif
.endm
