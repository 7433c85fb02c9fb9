// The recorder with CLOCK_MONOTONIC, for a function that only the recorder wants. As
// record_by_cycles.h, but for the clock: reading it is a call into the vDSO, or a system call where
// there is none, so what is live is saved around it, in a small frame of its own. Everything rare
// goes to the general way with every register as it was.
//
//   sp at entry ->  +-------------------------------+  CLOCK_FRAME_SIZE
//                   | hi, lo                        |
//                   | one place a register, by its  |  0: $25, 1: $31, $4-$11, $15 at an entry,
//                   | number                        |  $13 bias; $2, $3, $13 at a return;
//                   |                               |  14: o32's $28
//                   | struct timespec               |
//                   | o32: the callee's             |
//   sp now ------>  +-------------------------------+  0
#pragma once

#include <asm/unistd.h>

#include "trampoline/record_steps.h"

// clang-format off

#define CLOCK_FRAME_TIME FRAME_HOME
#define CLOCK_FRAME_N(n) (CLOCK_FRAME_TIME + 16 + FRAME_REG * (n))
#define CLOCK_FRAME_HI CLOCK_FRAME_N(16)
#define CLOCK_FRAME_LO CLOCK_FRAME_N(17)
#define CLOCK_FRAME_SIZE CLOCK_FRAME_N(18)

#if __mips_isa_rev >= 6
#define KEEP_HI_LO
#define RESTORE_HI_LO
#else
#define KEEP_HI_LO mfhi $6; mflo $7; REG_S $6, CLOCK_FRAME_HI($29); REG_S $7, CLOCK_FRAME_LO($29)
#define RESTORE_HI_LO REG_L $8, CLOCK_FRAME_HI($29); REG_L $9, CLOCK_FRAME_LO($29); mthi $8; mtlo $9
#endif

// On o32 a callee may change $28, which the traced function may have set in front of its sled.
#if _MIPS_SIM == _ABIO32
#define KEEP_GP REG_S $28, CLOCK_FRAME_N(14)($29)
#define RESTORE_GP REG_L $28, CLOCK_FRAME_N(14)($29)
#else
#define KEEP_GP
#define RESTORE_GP
#endif

// The kernel's struct timespec is two longs.
#if _MIPS_SIM == _ABI64
#define LONG_L ld
#define CLOCK_FRAME_NSEC (CLOCK_FRAME_TIME + 8)
#else
#define LONG_L lw
#define CLOCK_FRAME_NSEC (CLOCK_FRAME_TIME + 4)
#endif

// $6 := the timespec in nanoseconds, or their low half; $7 := the bits above the 30th, 32 of them.
#if FRAME_REG == 8
#if __mips_isa_rev >= 6
#define MULTIPLY dmul $6, $6, $8
#else
#define MULTIPLY dmult $6, $8; mflo $6
#endif
#define ADD_NSEC                                                                                 \
    daddu   $6, $6, $7;                                                                          \
    dsrl    $7, $6, 30;                                                                          \
    sll     $7, $7, 0
#else
#if __mips_isa_rev >= 6
#define MULTIPLY muhu $9, $6, $8; mulu $6, $6, $8
#else
#define MULTIPLY multu $6, $8; mflo $6; mfhi $9
#endif
#define ADD_NSEC                                                                                 \
    addu    $6, $6, $7;                                                                          \
    sltu    $7, $6, $7;                                                                          \
    addu    $7, $7, $9;                                                                          \
    sll     $7, $7, 2;                                                                           \
    srl     $8, $6, 30;                                                                          \
    or      $7, $7, $8
#endif
#define TIME_TO_NS                                                                               \
    LONG_L  $6, CLOCK_FRAME_TIME($29);                                                           \
    LONG_L  $7, CLOCK_FRAME_NSEC($29);                                                           \
    lui     $8, 1000000000 >> 16;                                                                \
    ori     $8, $8, 1000000000 & 0xffff;                                                         \
    MULTIPLY;                                                                                    \
    ADD_NSEC

// $6, $7 := now, as TIME_TO_NS. `clock` holds the vDSO's function or 0; not $4-$7.
#define READ_MONO(clock)                                                                         \
    KEEP_GP;                                                                                     \
    KEEP_HI_LO;                                                                                  \
    li      $4, 1;                      /* CLOCK_MONOTONIC */                                    \
    beqz    clock, 8f;                                                                           \
    PTR_ADDIU $5, $29, CLOCK_FRAME_TIME;                                                         \
    move    $25, clock;                                                                          \
    jalr    $25;                                                                                 \
    nop;                                                                                         \
    beqz    $2, 9f;                                                                              \
    li      $4, 1;                                                                               \
    PTR_ADDIU $5, $29, CLOCK_FRAME_TIME;                                                         \
8:  li      $2, __NR_clock_gettime;                                                              \
    syscall;                                                                                     \
9:  TIME_TO_NS;                                                                                  \
    RESTORE_GP;                                                                                  \
    RESTORE_HI_LO

// The clock bits above the 30th are not those of the last sync: general way.
#define IF_SYNC_IS_DUE(block, where)                                                             \
    lw      $8, THREAD_WRITER_SYNC(block);                                                       \
    bne     $7, $8, where;                                                                       \
    nop

#if _MIPS_SIM == _ABIO32
#define ARGUMENTS(op)                                                                            \
    op      $4, CLOCK_FRAME_N(4)($29);                                                           \
    op      $5, CLOCK_FRAME_N(5)($29);                                                           \
    op      $6, CLOCK_FRAME_N(6)($29);                                                           \
    op      $7, CLOCK_FRAME_N(7)($29);                                                           \
    op      $15, CLOCK_FRAME_N(15)($29)
#else
#define ARGUMENTS(op)                                                                            \
    op      $4, CLOCK_FRAME_N(4)($29);                                                           \
    op      $5, CLOCK_FRAME_N(5)($29);                                                           \
    op      $6, CLOCK_FRAME_N(6)($29);                                                           \
    op      $7, CLOCK_FRAME_N(7)($29);                                                           \
    op      $8, CLOCK_FRAME_N(8)($29);                                                           \
    op      $9, CLOCK_FRAME_N(9)($29);                                                           \
    op      $10, CLOCK_FRAME_N(10)($29);                                                         \
    op      $11, CLOCK_FRAME_N(11)($29);                                                         \
    op      $15, CLOCK_FRAME_N(15)($29)
#endif

// Found: $3 the thread's block, $12 the module's page, $13 bias, $25 link, $31 caller, and in $1 the
// recorder alone.
#define RECORD_ENTER_BY_MONO(general)                                                            \
    PTR_L   $2, THREAD_CLOCK($3);                                                                \
    PTR_ADDIU $29, $29, -CLOCK_FRAME_SIZE;                                                       \
    .cfi_adjust_cfa_offset CLOCK_FRAME_SIZE;                                                     \
    REG_S   $25, CLOCK_FRAME_N(0)($29);                                                          \
    .cfi_rel_offset 25, CLOCK_FRAME_N(0);                                                        \
    REG_S   $31, CLOCK_FRAME_N(1)($29);                                                          \
    .cfi_rel_offset 31, CLOCK_FRAME_N(1);                                                        \
    PTR_S   $13, CLOCK_FRAME_N(13)($29);                                                         \
    ARGUMENTS(REG_S);                                                                            \
    READ_MONO($2);                      /* $6 := nanoseconds */                                  \
    rdhwr   $3, $29;                                                                             \
    REG_L   $25, CLOCK_FRAME_N(0)($29);                                                          \
    LOAD_BLOCK($3);                                                                              \
    REG_L   $31, CLOCK_FRAME_N(1)($29);                                                          \
    PTR_L   $13, CLOCK_FRAME_N(13)($29);                                                         \
    IF_SYNC_IS_DUE($3, 2f);                                                                      \
    PTR_ADDIU $9, $29, CLOCK_FRAME_SIZE;                                                         \
    PTR_ADDIU $10, $9, FRAME_RECORDER_CLAIMED;                                                   \
    FIND_ROOM($9, $10, 2f);                                                                      \
    PTR_ADDIU $24, $2, FRAME_SIZE;                                                               \
    subu    $13, $25, $13;                                                                       \
    PUSH_CLAIMED($10, $13);                                                                      \
    CLAIM_EVENT($3, $1, $24, 3f);                                                                \
    nop;                                                                                         \
    WRITE_AND_COMPLETE($6, $13, $9);                                                             \
    ARGUMENTS(REG_L);                                                                            \
    .cfi_remember_state;                                                                         \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE;                                                        \
    .cfi_adjust_cfa_offset -CLOCK_FRAME_SIZE;                                                    \
    .cfi_same_value 25;                                                                          \
    jr      $25;                                                                                 \
    PTR_ADDIU $25, $25, -12;                                                                     \
    .cfi_restore_state;                                                                          \
3:  PTR_S   $2, THREAD_TOP($3);         /* give the frame back */                                \
    PTR_L   $13, CLOCK_FRAME_N(13)($29);                                                         \
2:  lw      $12, -12($25);              /* of the sled: lui $1, page */                          \
    ori     $1, $0, FGRAPH_RECORDER_ALONE;                                                       \
    ARGUMENTS(REG_L);                                                                            \
    sll     $12, $12, 16;                                                                        \
    b       general;                                                                             \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE

// $13: the thread pointer. To `others` as in record_by_cycles.h.
#define RECORD_LEAVE_BY_MONO(others, general)                                                    \
    LOAD_BLOCK($13);                                                                             \
    PTR_L   $5, THREAD_TOP($13);                                                                 \
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5);                                                       \
    bne     $8, $29, others;            /* before the clock is read for nothing */               \
    PTR_L   $9, THREAD_CLOCK($13);                                                               \
    PTR_ADDIU $29, $29, -CLOCK_FRAME_SIZE;                                                       \
.Lmono_frame:;                                                                                   \
    REG_S   $2, CLOCK_FRAME_N(2)($29);                                                           \
    REG_S   $3, CLOCK_FRAME_N(3)($29);                                                           \
    PTR_S   $13, CLOCK_FRAME_N(13)($29);                                                         \
    READ_MONO($9);                      /* $6 := nanoseconds */                                  \
    REG_L   $2, CLOCK_FRAME_N(2)($29);                                                           \
    REG_L   $3, CLOCK_FRAME_N(3)($29);                                                           \
    PTR_L   $13, CLOCK_FRAME_N(13)($29);                                                         \
    IF_SYNC_IS_DUE($13, 2f);                                                                     \
    PTR_ADDIU $10, $29, CLOCK_FRAME_SIZE;                                                        \
    PTR_ADDIU $11, $10, FRAME_RECORDER_CLAIMED;                                                  \
    FIND_FRAME($10, $11, 2f);                                                                    \
    CLAIM_EVENT($13, $4, $7, 3f);                                                                \
    nop;                                                                                         \
    WRITE_LEAVE($6);                                                                             \
    PTR_S   $5, THREAD_TOP($13);                                                                 \
    jr      $31;                                                                                 \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE;                                                        \
3:  PTR_S   $10, FRAME_SP - FRAME_SIZE($5);                                                      \
2:  b       general;                                                                             \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE
// clang-format on
