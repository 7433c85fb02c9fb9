// The recorder with CLOCK_MONOTONIC, for a function that only the recorder wants. As
// record_by_cycles.h, but for the clock: reading it is a call into the vDSO, or a system call where
// there is none, so what is live is saved around it, in a small frame of its own. Everything rare
// goes to the general way with every register as it was.
//
//   sp at entry ->  +-------------------------------+  CLOCK_FRAME_SIZE
//                   | hi, lo                        |
//                   | one place a register, by its  |  0: $25, 1: $31, $4-$12, $15 at an entry,
//                   | number                        |  $2, $3, $12 at a return
//                   | struct timespec               |
//   sp now ------>  +-------------------------------+  0
#pragma once

#include <asm/unistd.h>

// clang-format off

#define CLOCK_FRAME_TIME 0
#define CLOCK_FRAME_N(n) (16 + 8 * (n))
#define CLOCK_FRAME_HI CLOCK_FRAME_N(16)
#define CLOCK_FRAME_LO CLOCK_FRAME_N(17)
#define CLOCK_FRAME_SIZE CLOCK_FRAME_N(18)

#if __mips_isa_rev >= 6
#define KEEP_HI_LO
#define RESTORE_HI_LO
#else
#define KEEP_HI_LO mfhi $6; mflo $7; REG_S $6, CLOCK_FRAME_HI($29); REG_S $7, CLOCK_FRAME_LO($29)
#define RESTORE_HI_LO REG_L $7, CLOCK_FRAME_HI($29); REG_L $8, CLOCK_FRAME_LO($29); mthi $7; mtlo $8
#endif

// $6 := the timespec in nanoseconds.
#define TIME_TO_NS                                                                               \
    ld      $6, CLOCK_FRAME_TIME($29);                                                           \
    ld      $7, CLOCK_FRAME_TIME + 8($29);                                                       \
    lui     $8, 1000000000 >> 16;                                                                \
    ori     $8, $8, 1000000000 & 0xffff;                                                         \
    dmult   $6, $8;                                                                              \
    mflo    $6;                                                                                  \
    daddu   $6, $6, $7

// $6 := now; also sets $12 and $14 again. `clock` holds the vDSO's function or 0; not $4-$7.
#define READ_MONO(clock)                                                                         \
    PTR_S   $12, CLOCK_FRAME_N(12)($29);                                                         \
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
9:  TIME_TO_NS;                         /* $6 */                                                 \
    RESTORE_HI_LO;                                                                               \
    PTR_L   $12, CLOCK_FRAME_N(12)($29);                                                         \
    PTR_L   $14, TRAMPOLINE_PAGE_HANDLERS($12)

#define FIND_BLOCK(block, scratch)                                                               \
    rdhwr   scratch, $29;                                                                        \
    PTR_L   block, FGRAPH_HANDLERS_THREAD($14);                                                  \
    PTR_ADDU block, block, scratch;                                                              \
    PTR_L   block, 0(block)

// The clock bits above the 30th are not those of the last sync: general way.
#define IF_SYNC_IS_DUE(block, where)                                                             \
    dsrl    $7, $6, 30;                                                                          \
    sll     $7, $7, 0;                                                                           \
    lw      $8, THREAD_WRITER_SYNC(block);                                                       \
    bne     $7, $8, where;                                                                       \
    nop

#define LOAD_ARGUMENTS                                                                           \
    REG_L   $4, CLOCK_FRAME_N(4)($29);                                                           \
    REG_L   $5, CLOCK_FRAME_N(5)($29);                                                           \
    REG_L   $6, CLOCK_FRAME_N(6)($29);                                                           \
    REG_L   $7, CLOCK_FRAME_N(7)($29);                                                           \
    REG_L   $8, CLOCK_FRAME_N(8)($29);                                                           \
    REG_L   $9, CLOCK_FRAME_N(9)($29);                                                           \
    REG_L   $10, CLOCK_FRAME_N(10)($29);                                                         \
    REG_L   $11, CLOCK_FRAME_N(11)($29);                                                         \
    REG_L   $15, CLOCK_FRAME_N(15)($29)

// Found: $1 users, $25 link, $12 page, $13 bias, $31 caller; jumps to `general` with them as they were.
#define RECORD_ENTER_BY_MONO(general)                                                            \
    PTR_L   $14, TRAMPOLINE_PAGE_HANDLERS($12);                                                  \
    lw      $24, FGRAPH_HANDLERS_FAST_USERS($14);                                                \
    bne     $24, $1, general;                                                                    \
    PTR_L   $3, FGRAPH_HANDLERS_CLOCK($14);                                                      \
    PTR_ADDIU $29, $29, -CLOCK_FRAME_SIZE;                                                       \
    .cfi_adjust_cfa_offset CLOCK_FRAME_SIZE;                                                     \
    PTR_S   $25, CLOCK_FRAME_N(0)($29);                                                          \
    .cfi_rel_offset 25, CLOCK_FRAME_N(0);                                                        \
    PTR_S   $31, CLOCK_FRAME_N(1)($29);                                                          \
    .cfi_rel_offset 31, CLOCK_FRAME_N(1);                                                        \
    REG_S   $4, CLOCK_FRAME_N(4)($29);                                                           \
    REG_S   $5, CLOCK_FRAME_N(5)($29);                                                           \
    REG_S   $6, CLOCK_FRAME_N(6)($29);                                                           \
    REG_S   $7, CLOCK_FRAME_N(7)($29);                                                           \
    REG_S   $8, CLOCK_FRAME_N(8)($29);                                                           \
    REG_S   $9, CLOCK_FRAME_N(9)($29);                                                           \
    REG_S   $10, CLOCK_FRAME_N(10)($29);                                                         \
    REG_S   $11, CLOCK_FRAME_N(11)($29);                                                         \
    REG_S   $15, CLOCK_FRAME_N(15)($29);                                                         \
    READ_MONO($3);                      /* $6 := nanoseconds */                                  \
    PTR_L   $25, CLOCK_FRAME_N(0)($29);                                                          \
    PTR_L   $31, CLOCK_FRAME_N(1)($29);                                                          \
    FIND_BLOCK($2, $3);                                                                          \
    IF_SYNC_IS_DUE($2, 2f);                                                                      \
    PTR_L   $3, THREAD_TOP($2);                                                                  \
    PTR_L   $24, THREAD_LIMIT($2);                                                               \
    beq     $3, $24, 2f;                /* no room */                                            \
    PTR_ADDIU $9, $29, CLOCK_FRAME_SIZE;                                                         \
    PTR_L   $24, FRAME_SP - FRAME_SIZE($3);                                                      \
    sltu    $24, $9, $24;                                                                        \
    beqz    $24, 2f;                    /* the innermost frame is not an outer call */           \
    PTR_ADDIU $10, $9, 1;                                                                        \
    PTR_S   $10, FRAME_SP($3);          /* claim, publish, claim */                              \
    PTR_ADDIU $11, $3, FRAME_SIZE;                                                               \
    PTR_S   $11, THREAD_TOP($2);                                                                 \
    PTR_S   $10, FRAME_SP($3);                                                                   \
    PTR_S   $31, FRAME_RET($3);                                                                  \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12);                                                      \
    subu    $13, $25, $13;              /* position */                                           \
    sw      $13, FRAME_POSITION($3);                                                             \
    lw      $1, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    sh      $1, FRAME_USERS($3);                                                                 \
    lw      $1, FGRAPH_HANDLERS_EPOCH($14);                                                      \
    sw      $1, FRAME_EPOCH($3);                                                                 \
1:  LL      $1, THREAD_WRITER_CURSOR($2);                                                        \
    andi    $24, $1, 0xffff;                                                                     \
    beqz    $24, 3f;                    /* the chunk is full */                                  \
    PTR_ADDIU $24, $1, 8;                                                                        \
    SC      $24, THREAD_WRITER_CURSOR($2);                                                       \
    beqz    $24, 1b;                                                                             \
    PTR_ADDIU $24, $25, -12;                                                                     \
    sw      $6, 0($1);                  /* time, then word */                                    \
    sw      $13, 4($1);                                                                          \
    PTR_S   $24, FRAME_FUNC($3);                                                                 \
    PTR_L   $31, FGRAPH_HANDLERS_RETURN($14);                                                    \
    PTR_S   $9, FRAME_SP($3);           /* complete */                                           \
    move    $1, $25;                                                                             \
    LOAD_ARGUMENTS;                                                                              \
    move    $25, $24;                                                                            \
    jr      $1;                                                                                  \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE;                                                        \
3:  PTR_S   $3, THREAD_TOP($2);         /* give the frame back */                                \
2:  lw      $1, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12);                                                      \
    LOAD_ARGUMENTS;                                                                              \
    b       general;                                                                             \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE

// Found: $12 page, $14 handlers. Jumps to `general` with the frame as it was.
#define RECORD_LEAVE_BY_MONO(general)                                                            \
    PTR_L   $9, FGRAPH_HANDLERS_CLOCK($14);                                                      \
    PTR_ADDIU $29, $29, -CLOCK_FRAME_SIZE;                                                       \
.Lmono_frame:;                                                                                   \
    REG_S   $2, CLOCK_FRAME_N(2)($29);                                                           \
    REG_S   $3, CLOCK_FRAME_N(3)($29);                                                           \
    READ_MONO($9);                      /* $6 := nanoseconds */                                  \
    FIND_BLOCK($13, $4);                                                                         \
    IF_SYNC_IS_DUE($13, 2f);                                                                     \
    PTR_L   $5, THREAD_TOP($13);                                                                 \
    lw      $4, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    lhu     $7, FRAME_USERS - FRAME_SIZE($5);                                                    \
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5);                                                       \
    bne     $4, $7, 2f;                 /* other users */                                        \
    PTR_ADDIU $10, $29, CLOCK_FRAME_SIZE;                                                        \
    bne     $8, $10, 2f;                /* not the innermost frame */                            \
    PTR_L   $31, FRAME_RET - FRAME_SIZE($5);                                                     \
    PTR_L   $9, FGRAPH_HANDLERS_RETURN($14);                                                     \
    beq     $9, $31, 2f;                /* a tail call */                                        \
    PTR_ADDIU $11, $10, 1;                                                                       \
    PTR_S   $11, FRAME_SP - FRAME_SIZE($5);                                                      \
1:  LL      $4, THREAD_WRITER_CURSOR($13);                                                       \
    andi    $7, $4, 0xffff;                                                                      \
    beqz    $7, 3f;                     /* the chunk is full */                                  \
    PTR_ADDIU $7, $4, 8;                                                                         \
    SC      $7, THREAD_WRITER_CURSOR($13);                                                       \
    beqz    $7, 1b;                                                                              \
    lw      $9, FRAME_POSITION - FRAME_SIZE($5);                                                 \
    sw      $6, 0($4);                  /* time, then word */                                    \
    ori     $9, $9, 1;                                                                           \
    sw      $9, 4($4);                                                                           \
    PTR_ADDIU $5, $5, -FRAME_SIZE;                                                               \
    REG_L   $2, CLOCK_FRAME_N(2)($29);                                                           \
    REG_L   $3, CLOCK_FRAME_N(3)($29);                                                           \
    PTR_S   $5, THREAD_TOP($13);                                                                 \
    jr      $31;                                                                                 \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE;                                                        \
3:  PTR_S   $10, FRAME_SP - FRAME_SIZE($5);                                                      \
2:  REG_L   $2, CLOCK_FRAME_N(2)($29);                                                           \
    REG_L   $3, CLOCK_FRAME_N(3)($29);                                                           \
    b       general;                                                                             \
    PTR_ADDIU $29, $29, CLOCK_FRAME_SIZE
// clang-format on
