// The target of a function that is to be replaced by one of a library which is not loaded yet: the
// thread that calls the function next loads it, and goes on in what is found.
//
// In:  $1 DirectCall, $31 caller, and the function's arguments, in floating-point registers, too.
// Out: the same, $25 = where it goes on, and there.
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"
#include "trampoline/live_registers.h"

    .set noreorder
    .set noat
    .text

    BEGIN_HIDDEN direct_load
    PTR_ADDIU $29, $29, -FTRACE_REGS_SIZE
    .cfi_adjust_cfa_offset FTRACE_REGS_SIZE
    REG_S   $31, FTRACE_REGS_GPR_N(31)($29)
    .cfi_rel_offset 31, FTRACE_REGS_GPR_N(31)
    LIVE_IN_CALLS(SAVE)
    REG_S   $1, FTRACE_REGS_FRAMES($29)
    bal     ftrace_save_argument_fp
    move    $4, $29
    REG_L   $4, FTRACE_REGS_FRAMES($29)
    PTR_L   $25, DIRECT_LOAD($4)
    jalr    $25
    PTR_ADDIU $5, $29, FTRACE_REGS_SIZE         // load(call, sp at the entry)
    REG_S   $2, FTRACE_REGS_FRAMES($29)
    bal     ftrace_restore_argument_fp
    move    $4, $29
    LIVE_IN_CALLS(LOAD)
    REG_L   $31, FTRACE_REGS_GPR_N(31)($29)
    REG_L   $25, FTRACE_REGS_FRAMES($29)
    jr      $25
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
    END_FUNCTION direct_load

    .section .note.GNU-stack, "", @progbits
