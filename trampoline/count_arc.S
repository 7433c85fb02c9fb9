// The call counter in registers (lib/call_counter/call_counter.h): a call inside one module, from a
// site that has called this function before. Everything else goes to the core, with all that it
// needs as it was.
//
//   dead                 $1-$3, $12-$14, $24, ($25); on o32 $8-$11
//   found there          $1 users  $25 link  $12 page  $13 bias  $31 caller
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"

    .set noreorder
    .set noat
    .text

#if FRAME_REG == 4
// A count is two words there.
#define ARC_COUNT_LOW (ARC_COUNT + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) * 4)
#define ARC_COUNT_HIGH (ARC_COUNT + (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__) * 4)
#define LOAD_OFFSET lw
.macro ADD_ONE
2:  ll      $2, ARC_COUNT_LOW($3)
    addiu   $2, $2, 1
    move    $8, $2
    sc      $2, ARC_COUNT_LOW($3)
    beqz    $2, 2b
    nop
    bnez    $8, 7f
    nop
6:  ll      $2, ARC_COUNT_HIGH($3)
    addiu   $2, $2, 1
    sc      $2, ARC_COUNT_HIGH($3)
    beqz    $2, 6b
    nop
7:
.endm
#else
#define LOAD_OFFSET lwu
.macro ADD_ONE
2:  lld     $2, ARC_COUNT($3)
    daddiu  $2, $2, 1
    scd     $2, ARC_COUNT($3)
    beqz    $2, 2b
    nop
.endm
#endif

.macro COUNTER name, general
    BEGIN_FROM_SLED \name
    xori    $24, $1, FGRAPH_RECORDER_ALONE
    bnez    $24, \general
    PTR_L   $14, TRAMPOLINE_PAGE_DATA($12)
    PTR_L   $2, CALL_SITES_START($14)
    PTR_L   $3, CALL_SITES_SIZE($14)
    PTR_SUBU $2, $31, $2                        // offset of the return address in the text
    sltu    $3, $2, $3
    beqz    $3, 4f
    PTR_L   $3, CALL_SITES_SLOTS($14)
    PTR_ADDU $3, $3, $2                         // four bytes of text are four bytes of slots
    LOAD_OFFSET $3, 0($3)
    PTR_L   $24, CALL_SITES_ARCS($14)
    subu    $13, $25, $13                       // position of the function
1:  beqz    $3, 3f
    PTR_ADDU $3, $3, $24
    lw      $2, ARC_CALLEE($3)
    bne     $2, $13, 5f
    nop
    ADD_ONE
    jr      $25
    PTR_ADDIU $25, $25, -12
5:  b       1b
    LOAD_OFFSET $3, ARC_NEXT($3)
3:  PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12)
4:  b       \general
    nop
    END_FUNCTION \name
.endm

    COUNTER count_arc, ftrace_regs_caller
    COUNTER count_arc_at_call, ftrace_mcount_caller

    .section .note.GNU-stack, "", @progbits
