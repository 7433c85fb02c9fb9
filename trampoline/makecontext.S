// makecontext() of the traced program: notes the stack and goes on to libc's, with every argument
// where it was, those on the stack too.
#include "trampoline/abi_macros.h"

    .set noreorder
    .text

#define FRAME (80 + FRAME_HOME)
#define SAVED(n) (FRAME_HOME + 8 * ((n) - 4))   // $4-$11
#define SAVED_GP (FRAME_HOME + 64)
#define SAVED_RA (FRAME_HOME + 72)

    .globl makecontext
    .ent makecontext
    .type makecontext, @function
makecontext:
    .cfi_startproc
    PTR_ADDIU $29, $29, -FRAME
    .cfi_adjust_cfa_offset FRAME
    REG_S   $31, SAVED_RA($29)
    .cfi_rel_offset 31, SAVED_RA
    REG_S   $28, SAVED_GP($29)
    .cfi_rel_offset 28, SAVED_GP
    REG_S   $4, SAVED(4)($29)
    REG_S   $5, SAVED(5)($29)
    REG_S   $6, SAVED(6)($29)
    REG_S   $7, SAVED(7)($29)
    REG_S   $8, SAVED(8)($29)
    REG_S   $9, SAVED(9)($29)
    REG_S   $10, SAVED(10)($29)
    REG_S   $11, SAVED(11)($29)
    bal     1f
    nop
1:
    LOAD_GP(1b)
    PTR_L   $25, GOT(note_coroutine_stack)($28)
    jalr    $25
    nop
    move    $25, $2
    REG_L   $31, SAVED_RA($29)
    REG_L   $28, SAVED_GP($29)
    REG_L   $4, SAVED(4)($29)
    REG_L   $5, SAVED(5)($29)
    REG_L   $6, SAVED(6)($29)
    REG_L   $7, SAVED(7)($29)
    REG_L   $8, SAVED(8)($29)
    REG_L   $9, SAVED(9)($29)
    REG_L   $10, SAVED(10)($29)
    REG_L   $11, SAVED(11)($29)
    jr      $25
    PTR_ADDIU $29, $29, FRAME
    .cfi_endproc
    .end makecontext
    .size makecontext, . - makecontext

    .section .note.GNU-stack, "", @progbits
