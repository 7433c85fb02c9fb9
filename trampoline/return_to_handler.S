// Where a traced function returns to: its frame's return address was replaced by this one.
//
//   function             here                         C++
//   jr $31        ->     save the return values
//                        fgraph_leave(regs)     ->    users' retfunc, pops the shadow stack
//   caller        <-     restore, jr to result  <-
//
// Live at a return: $2, $3, $28, $29, $f0, $f2 and the callee-saved registers. The C++ side saves
// $f0 and $f2 itself (ftrace_save_return_fp) before it calls anything that may use them.
//
// Unwind information: unwind_rule.h, which counts on the first instruction behind .Lsave making the
// frame.
#include "trampoline/abi_macros.h"
#include "trampoline/record_by_cycles.h"
#include "trampoline/record_by_mono.h"

    .set noreorder
    .set noat
    .text

// The nop gives unwinders, which look up the address before a return address, a place that has a
// rule of its own, and debuggers a name.
//
// When the recorder is registered, the first instruction is replaced:
//   clock cycles:  rdhwr $13, $29       clock mono:  b   record_leave_by_mono
    .globl return_to_handler
    .hidden return_to_handler
    .ent return_to_handler
    .type return_to_handler, @function
return_to_handler_frame:
    nop
return_to_handler:
    b       .Lsave
    PTR_ADDIU $7, $29, FRAME_RECORDER_CLAIMED
    RECORD_LEAVE_BY_CYCLES(.Lsave)
    .globl record_leave_by_mono
    .hidden record_leave_by_mono
record_leave_by_mono:
    rdhwr   $13, $29
    RECORD_LEAVE_BY_MONO(.Lsave)
.Lsave:
    PTR_ADDIU $29, $29, -FTRACE_REGS_SIZE
    REG_S   $2, FTRACE_REGS_GPR_N(2)($29)
    REG_S   $3, FTRACE_REGS_GPR_N(3)($29)
    REG_S   $28, FTRACE_REGS_GPR_N(28)($29)
    li      $2, FTRACE_REGS_FLAG_RETURN
    sw      $2, FTRACE_REGS_FLAGS($29)
    bal     1f
    nop
1:
    LOAD_GP(1b)
    PTR_L   $25, GOT(fgraph_handlers)($28)
    PTR_L   $25, FGRAPH_HANDLERS_LEAVE($25)
    jalr    $25
    move    $4, $29
    move    $31, $2
    REG_L   $2, FTRACE_REGS_GPR_N(2)($29)
    REG_L   $3, FTRACE_REGS_GPR_N(3)($29)
    REG_L   $28, FTRACE_REGS_GPR_N(28)($29)
    jr      $31
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
    .end return_to_handler
    .size return_to_handler, . - return_to_handler
.Lreturn_to_handler_end:
    .globl return_to_handler_end
    .hidden return_to_handler_end
return_to_handler_end:

// To here nothing returns: it is the caller of return_to_handler where that takes the place of the
// return from a signal.
return_from_signal_frame:
    nop
    .globl return_from_signal
    .hidden return_from_signal
return_from_signal:
    nop
.Lreturn_from_signal_end:

#include "trampoline/unwind_rule.h"

    .section .note.GNU-stack, "", @progbits
