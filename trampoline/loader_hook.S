// Where the dynamic linker's empty function for debuggers goes when it is hooked; see
// lib/patch/loader_hook.h.
//
//   dynamic linker         here                          C++
//   call r_brk       ->    save what a call may change
//                          to a stack of our own
//                          loader_hook_event()     ->    handler
//   go on            <-    back, restore           <-
//
// A compiler that sees the empty function and its caller together knows that it changes no register
// and may count on that, so all are kept but $1 and floating point, which a dynamic linker has no
// use for. The frame is that of struct ftrace_regs.
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"

    .set noreorder
    .set noat
    .text

// clang-format off
#define CHANGED_BY_CALLS(op)                        \
    op $2, FTRACE_REGS_GPR_N(2)($29);               \
    op $3, FTRACE_REGS_GPR_N(3)($29);               \
    op $4, FTRACE_REGS_GPR_N(4)($29);               \
    op $5, FTRACE_REGS_GPR_N(5)($29);               \
    op $6, FTRACE_REGS_GPR_N(6)($29);               \
    op $7, FTRACE_REGS_GPR_N(7)($29);               \
    op $8, FTRACE_REGS_GPR_N(8)($29);               \
    op $9, FTRACE_REGS_GPR_N(9)($29);               \
    op $10, FTRACE_REGS_GPR_N(10)($29);             \
    op $11, FTRACE_REGS_GPR_N(11)($29);             \
    op $12, FTRACE_REGS_GPR_N(12)($29);             \
    op $13, FTRACE_REGS_GPR_N(13)($29);             \
    op $14, FTRACE_REGS_GPR_N(14)($29);             \
    op $15, FTRACE_REGS_GPR_N(15)($29);             \
    op $24, FTRACE_REGS_GPR_N(24)($29);             \
    op $25, FTRACE_REGS_GPR_N(25)($29);             \
    op $28, FTRACE_REGS_GPR_N(28)($29);             \
    op $31, FTRACE_REGS_GPR_N(31)($29)
// clang-format on

    BEGIN_HIDDEN loader_hook_entry
    PTR_ADDIU $29, $29, -FTRACE_REGS_SIZE
    .cfi_adjust_cfa_offset FTRACE_REGS_SIZE
    CHANGED_BY_CALLS(REG_S)
    .cfi_rel_offset 28, FTRACE_REGS_GPR_N(28)
    .cfi_rel_offset 31, FTRACE_REGS_GPR_N(31)
    REG_S   $16, FTRACE_REGS_GPR_N(16)($29)
    .cfi_rel_offset 16, FTRACE_REGS_GPR_N(16)
    move    $16, $29
    .cfi_def_cfa_register 16
#if __mips_isa_rev < 6
    mfhi    $2
    mflo    $3
    REG_S   $2, FTRACE_REGS_HI($29)
    REG_S   $3, FTRACE_REGS_LO($29)
#endif
    bal     1f
    nop
1:
    LOAD_GP(1b)
    PTR_L   $2, GOT(loader_hook_stack)($28)
    PTR_L   $29, 0($2)
    PTR_L   $25, GOT(loader_hook_event)($28)
    jalr    $25
    nop
    move    $29, $16
    .cfi_def_cfa_register 29
    REG_L   $16, FTRACE_REGS_GPR_N(16)($29)
    .cfi_restore 16
#if __mips_isa_rev < 6
    REG_L   $2, FTRACE_REGS_HI($29)
    REG_L   $3, FTRACE_REGS_LO($29)
    mthi    $2
    mtlo    $3
#endif
    CHANGED_BY_CALLS(REG_L)
    jr      $31
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
    END_FUNCTION loader_hook_entry

    .section .note.GNU-stack, "", @progbits
