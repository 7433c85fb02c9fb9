// The way from a sled to the fgraph core and back into the function.
//
//   function          module's page            here                        C++
//   lui   $1          ...
//   jalr  $25,$1  ->  lui $12, page
//   ori   $1,users    ld  $14, CALLER    ->    save what is live
//   ...               jr  $14                  fgraph_enter(regs)    ->    users' entryfunc
//   ...           <-------------------------   restore, $31 = result  <-
//
// The C++ side touches no floating-point register unless a user's callback does, for which it calls
// the functions of fp_registers.S itself. Where the sled's users have a dispatch list, the page goes to
// ftrace_light_caller instead.
#include "trampoline/enter_by_list.h"
#include "trampoline/function_macros.h"
#include "trampoline/live_registers.h"
#include "trampoline/record_by_mono.h"

    .set noreorder
    .set noat
    .text

// Of calls that the recorder handles by itself. CFI as below.
    BEGIN_FROM_SLED record_enter_by_mono
    RECORD_ENTER_BY_MONO(ftrace_regs_caller)
    .globl record_enter_by_mono_end
    .hidden record_enter_by_mono_end
record_enter_by_mono_end:
    END_FUNCTION record_enter_by_mono

// In:  $1 users, $25 address behind the sled, $12 the module's page, $13 bias, $31 caller.
// Out: everything as at the function's entry, but $25 = the function, $31 = fgraph_enter's word.
//
// CFI: the function called us and left its return address in $25; its own caller is in $31.
.macro CALLER name, enter, direct=0
    BEGIN_FROM_SLED \name
    SAVE_LIVE
    .globl \name\()_saved
    .hidden \name\()_saved
\name\()_saved:
    PTR_L   $14, TRAMPOLINE_PAGE_HANDLERS($12)
    REG_S   $1, FTRACE_REGS_USERS($29)
    lw      $24, FGRAPH_HANDLERS_WANTS_FULL($14)
    PTR_L   $25, \enter($14)
    and     $24, $24, $1
    REG_S   $13, FTRACE_REGS_BIAS($29)
    .if \enter == FGRAPH_HANDLERS_ENTER_AT_CALL || \direct
    PTR_L   $12, TRAMPOLINE_PAGE_FRAMES($12)
    REG_S   $12, FTRACE_REGS_FRAMES($29)
    .endif
#if FRAME_REG == 4
    sw      $0, FTRACE_REGS_FRAME_SIZE($29)
#endif
    bnez    $24, .Lfull\@
    REG_S   $0, FTRACE_REGS_FLAGS($29)          // and FTRACE_REGS_FRAME_SIZE
    jalr    $25
    move    $4, $29                             // fgraph_enter(regs)

.Lrestore\@:
    move    $31, $2
    .cfi_remember_state
    .if \direct
    REG_L   $1, FTRACE_REGS_FRAMES($29)
    PTR_L   $25, DIRECT_TARGET($1)
    LIVE_IN_CALLS(LOAD)
    jr      $25
    PTR_ADDIU $29, $29, FTRACE_REGS_SIZE
    .else
    RESTORE_LIVE
    .endif

// A user wants every register: save the rest, and load all of them back, since it may change them.
// $29 is stored as it was at the entry, and zero for the registers that are dead there and used
// here.
    .cfi_restore_state
.Lfull\@:
    li      $14, FTRACE_REGS_FLAG_FULL | FTRACE_REGS_FLAG_FP
    sw      $14, FTRACE_REGS_FLAGS($29)
    PTR_ADDIU $14, $29, FTRACE_REGS_SIZE
    REG_S   $0, FTRACE_REGS_GPR_N(0)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(1)($29)
    REG_S   $2, FTRACE_REGS_GPR_N(2)($29)
    REG_S   $3, FTRACE_REGS_GPR_N(3)($29)
#if FRAME_REG == 4
    REG_S   $0, FTRACE_REGS_GPR_N(8)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(9)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(10)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(11)($29)
#endif
    REG_S   $0, FTRACE_REGS_GPR_N(12)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(13)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(14)($29)
    REG_S   $16, FTRACE_REGS_GPR_N(16)($29)
    REG_S   $17, FTRACE_REGS_GPR_N(17)($29)
    REG_S   $18, FTRACE_REGS_GPR_N(18)($29)
    REG_S   $19, FTRACE_REGS_GPR_N(19)($29)
    REG_S   $20, FTRACE_REGS_GPR_N(20)($29)
    REG_S   $21, FTRACE_REGS_GPR_N(21)($29)
    REG_S   $22, FTRACE_REGS_GPR_N(22)($29)
    REG_S   $23, FTRACE_REGS_GPR_N(23)($29)
    REG_S   $0, FTRACE_REGS_GPR_N(24)($29)
    REG_S   $28, FTRACE_REGS_GPR_N(28)($29)
    REG_S   $14, FTRACE_REGS_GPR_N(29)($29)
    REG_S   $30, FTRACE_REGS_GPR_N(30)($29)
    bal     ftrace_save_all_fp
    move    $4, $29
    jalr    $25
    move    $4, $29
    move    $15, $2
    bal     ftrace_restore_all_fp
    move    $4, $29
    move    $2, $15
    REG_L   $3, FTRACE_REGS_GPR_N(3)($29)
    b       .Lrestore\@
    nop
    END_FUNCTION \name
.endm

// Calls the callbacks of a dispatch list; ENTER_BY_LIST in a page comes here, where LIST_ENTER says.
//
//   $4 frame, $7 list, $29 the struct ftrace_regs
    .altmacro
    BEGIN_FROM_SLED ftrace_light_caller
    .cfi_def_cfa_offset FTRACE_REGS_SIZE
    SAVED_CFI
    HIDDEN_LABEL(ask_for_entries)
.macro ASK k
    PTR_L   $25, LIST_ENTRIES + \k * LIST_PAIR($7)
    PTR_L   $5, LIST_ENTRIES + \k * LIST_PAIR + FGRAPH_POINTER($7)
    jalr    $25                                 // entryfunc(call, ops, regs)
    move    $6, $29
    beqz    $2, .Ldeclined_\k
    PTR_L   $4, FTRACE_REGS_CALL($29)
    .if \k + 1 < LIST_PAIRS
    PTR_L   $7, FRAME_LIST($4)
    .endif
.endm
    .set pair, 0
    .rept LIST_PAIRS
    ASK %pair
    .set pair, pair + 1
    .endr
    .if . - ask_for_entries != 4 * (LIST_ASK_WORDS * LIST_PAIRS - 1)
    .error "LIST_ASK_WORDS"
    .endif
    PTR_L   $3, FRAME_STACK($4)
.Lcomplete:
    PTR_ADDIU $6, $29, FTRACE_REGS_SIZE + FRAME_BY_LIST
.Lcomplete_as:
    sb      $0, FRAME_STAGE($4)
    PTR_S   $6, FRAME_SP($4)
    HIDDEN_LABEL(light_caller_unmark)
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($3)
    PTR_L   $31, THREAD_RETURN - THREAD_TOP($3)
.Lback:
    .cfi_remember_state
    RESTORE_LIVE
    .cfi_restore_state

// In the place of that store where the system has no membarrier: see CallbackMark.
    HIDDEN_LABEL(light_caller_unmark_sync)
    sync
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($3)
    b       light_caller_unmark + 8
    nop

// Of lists whose users have no retfunc.
    HIDDEN_LABEL(tell_of_entries)
    .set pair, 0
    .rept LIST_PAIRS
    CALL_OF_LIST LIST_ENTRIES, %pair
    .set pair, pair + 1
    .endr
    PTR_L   $3, FRAME_STACK($4)
.Lnot_wanted:                                   // the frame goes
    REG_L   $31, FTRACE_REGS_GPR_N(31)($29)
    sync
    PTR_S   $0, THREAD_IN_CALLBACK - THREAD_TOP($3)
    b       .Lback
    PTR_S   $4, 0($3)

// One has declined: asks the others, and keeps those that decline in FTRACE_REGS_USERS. The return
// goes the way of fgraph_leave. $16: how far in the list; at its LIST_ENTRIES is the pair.
.macro DECLINED k
.Ldeclined_\k:
    b       .Ldeclined
    li      $3, \k * LIST_PAIR
.endm
    .set pair, 0
    .rept LIST_PAIRS
    DECLINED %pair
    .set pair, pair + 1
    .endr
    .noaltmacro
.Ldeclined:
    REG_S   $16, FTRACE_REGS_GPR_N(16)($29)
    .cfi_rel_offset 16, FTRACE_REGS_GPR_N(16)
    PTR_L   $16, FRAME_LIST($4)
    sw      $0, FTRACE_REGS_USERS($29)
    PTR_ADDU $16, $16, $3
.Lremember:
    PTR_L   $6, LIST_ENTRIES + FGRAPH_POINTER($16)  // the ops
    lw      $3, FTRACE_REGS_USERS($29)
    lhu     $6, FGRAPH_OPS_SLOT($6)
    li      $2, 1
    sllv    $2, $2, $6
    or      $3, $3, $2
    sw      $3, FTRACE_REGS_USERS($29)
.Lask_next:
    PTR_L   $7, FRAME_LIST($4)
    PTR_ADDIU $7, $7, (LIST_PAIRS - 1) * LIST_PAIR
    beq     $16, $7, .Lasked_all
    PTR_ADDIU $16, $16, LIST_PAIR
    PTR_L   $25, LIST_ENTRIES($16)
    PTR_L   $5, LIST_ENTRIES + FGRAPH_POINTER($16)
    jalr    $25
    move    $6, $29
    beqz    $2, .Lremember
    PTR_L   $4, FTRACE_REGS_CALL($29)
    b       .Lask_next
    nop
.Lasked_all:
    REG_L   $16, FTRACE_REGS_GPR_N(16)($29)
    .cfi_restore 16
    lw      $6, FTRACE_REGS_USERS($29)
    lhu     $5, FRAME_USERS + LOW_HALF($4)
    PTR_L   $3, FRAME_STACK($4)
    and     $6, $6, $5
    beqz    $6, .Lcomplete                      // of those, no one has a retfunc
    xor     $5, $5, $6
    beqz    $5, .Lnot_wanted
    PTR_ADDIU $6, $29, FTRACE_REGS_SIZE + FRAME_FULL
    b       .Lcomplete_as
    sh      $5, FRAME_USERS + LOW_HALF($4)
    END_FUNCTION ftrace_light_caller

    CALLER ftrace_regs_caller, FGRAPH_HANDLERS_ENTER
    CALLER ftrace_mcount_caller, FGRAPH_HANDLERS_ENTER_AT_CALL
// Of a function that is replaced (direct_page.S). Out: as from its page, there.
    CALLER ftrace_direct_caller, FGRAPH_HANDLERS_ENTER, 1

    .section .note.GNU-stack, "", @progbits
