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
#include "trampoline/enter_by_list.h"
#include "trampoline/function_macros.h"
#include "trampoline/record_by_cycles.h"
#include "trampoline/record_by_mono.h"

    .set noreorder
    .set noat
    .text

// The nop gives unwinders, which look up the address before a return address, a place that has a
// rule of its own, and debuggers a name.
//
// The first instruction is replaced, at start by b leave_by_list, and while functions are on for the
// recorder alone:
//   clock cycles:  that at leave_by_cycles       clock mono:  b   record_leave_by_mono
    .globl return_to_handler
    .hidden return_to_handler
    .ent return_to_handler
    .type return_to_handler, @function
return_to_handler_frame:
    nop
return_to_handler:
    b       .Lsave
    rdhwr   $13, $29
    RECORD_LEAVE_BY_CYCLES(.Lby_list, .Lsave)
    HIDDEN_LABEL(leave_by_cycles)
    PTR_ADDIU $7, $29, FRAME_RECORDER_CLAIMED
    .globl record_leave_by_mono
    .hidden record_leave_by_mono
record_leave_by_mono:
    RECORD_LEAVE_BY_MONO(.Lby_list, .Lsave)

// The plain case of fgraph_leave: the innermost frame is this call's and goes by its dispatch list,
// which is still that of its users. No callback runs then: calls that are made from inside one have
// other frames.
//
//   $4 frame, $5 behind it, $8 its sp, $7 list, $13 thread's block, then its THREAD_TOP
    .globl leave_by_list
    .hidden leave_by_list
leave_by_list:
    LOAD_BLOCK($13)
    PTR_L   $5, THREAD_TOP($13)
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5)
.Lby_list:
    PTR_ADDIU $6, $29, FRAME_BY_LIST
    bne     $8, $6, .Lsave
    PTR_ADDIU $4, $5, -FRAME_SIZE
    sb      $6, FRAME_STAGE($4)                 // odd
    HIDDEN_LABEL(leave_by_list_mark)
    PTR_S   $4, THREAD_IN_CALLBACK($13)         // see CallbackMark
    PTR_ADDIU $29, $29, -FTRACE_REGS_SIZE
.Lmade_frame:
    PTR_L   $7, FRAME_LIST($4)
    lw      $12, FRAME_EPOCH($4)
    lw      $14, LIST_EPOCH($7)
    bne     $12, $14, .Lother_users
    PTR_L   $15, LIST_LEAVE($7)
    REG_S   $2, FTRACE_REGS_GPR_N(2)($29)
    REG_S   $3, FTRACE_REGS_GPR_N(3)($29)
#if _MIPS_SIM == _ABIO32
    REG_S   $28, FTRACE_REGS_GPR_N(28)($29)
#endif
    PTR_S   $4, FTRACE_REGS_CALL($29)
    jr      $15
    sw      $6, FTRACE_REGS_FLAGS($29)          // its low bits: FTRACE_REGS_FLAG_RETURN
    HIDDEN_LABEL(tell_of_returns)
    .altmacro
    .set pair, 0
    .rept LIST_PAIRS
    CALL_OF_LIST LIST_LEAVES, %pair
    .set pair, pair + 1
    .endr
    .noaltmacro
    .if . - tell_of_returns != 4 * (LIST_CALL_WORDS * LIST_PAIRS - 1)
    .error "LIST_CALL_WORDS"
    .endif
    PTR_L   $13, FRAME_STACK($4)
    REG_L   $2, FTRACE_REGS_GPR_N(2)($29)
    PTR_L   $5, 0($13)
#if _MIPS_SIM == _ABIO32
    REG_L   $28, FTRACE_REGS_GPR_N(28)($29)
#endif
    PTR_ADDIU $5, $5, -FRAME_SIZE
    bne     $4, $5, .Lnot_innermost
    REG_L   $3, FTRACE_REGS_GPR_N(3)($29)
    HIDDEN_LABEL(leave_by_list_unmark)
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($13)
    PTR_L   $31, FRAME_RET($4)
    PTR_S   $4, 0($13)
    jr      $31
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE

// In the place of the two marked stores where the system has no membarrier.
    HIDDEN_LABEL(leave_by_list_mark_sync)
    PTR_S   $4, THREAD_IN_CALLBACK($13)
    sync
    b       leave_by_list_mark + 8
    nop
    HIDDEN_LABEL(leave_by_list_unmark_sync)
    sync
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($13)
    b       leave_by_list_unmark + 8
    nop

// A callback has left traced calls by longjmp: fgraph_leave drops their frames, and this one, whose
// users have been told.
.Lnot_innermost:
    PTR_ADDIU $6, $29, FTRACE_REGS_SIZE + FRAME_FULL
    sw      $0, FRAME_USERS($4)
    PTR_S   $6, FRAME_SP($4)
    sync
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($13)
    b       .Lsave
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE

.Lother_users:
    sb      $0, FRAME_STAGE($4)
    PTR_S   $0, THREAD_IN_CALLBACK($13)
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
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
