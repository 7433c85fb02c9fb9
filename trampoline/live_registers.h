// clang-format off
// What is live at a function's entry beside $28 and $29, saved in a struct ftrace_regs: the arguments'
// registers, $15, $25, $31. On o32 a sled may stand behind what sets $28, which C++ does not keep there.
#pragma once

#include "trampoline/abi_macros.h"

#define SAVE(n) REG_S $##n, FTRACE_REGS_GPR_N(n)($29)
#define LOAD(n) REG_L $##n, FTRACE_REGS_GPR_N(n)($29)
#if _MIPS_SIM == _ABIO32
#define LIVE_IN_CALLS(op) op(4); op(5); op(6); op(7); op(15); op(28)
#else
#define LIVE_IN_CALLS(op) op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11); op(15)
#endif

.macro SAVED_CFI
    .cfi_rel_offset 25, FTRACE_REGS_GPR_N(25)
    .cfi_rel_offset 31, FTRACE_REGS_GPR_N(31)
.endm

.macro SAVE_LIVE
    PTR_ADDIU $29, $29, -FTRACE_REGS_SIZE
    .cfi_adjust_cfa_offset FTRACE_REGS_SIZE
    REG_S   $25, FTRACE_REGS_GPR_N(25)($29)
    REG_S   $31, FTRACE_REGS_GPR_N(31)($29)
    SAVED_CFI
    LIVE_IN_CALLS(SAVE)
.endm

// What goes on with $31 as return address to the function behind the sled.
.macro RESTORE_LIVE
    REG_L   $1, FTRACE_REGS_GPR_N(25)($29)
    LIVE_IN_CALLS(LOAD)
    PTR_ADDIU $25, $1, -12
    jr      $1
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
.endm
