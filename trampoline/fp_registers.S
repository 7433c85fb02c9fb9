// Floating-point registers and fcsr of a struct ftrace_regs, saved and restored only for users that may
// disturb them; and hi and lo, dead at an entry and at a return, for who wants all registers. Unless
// said otherwise they take the struct in $4, are leaves, and clobber nothing but $14.
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"

    .set noreorder
    .set noat
    .text

#ifdef __mips_soft_float
#define SAVE(n)
#define LOAD(n)
#else
#define SAVE(n) sdc1 $f##n, FTRACE_REGS_FPR_N(n)($4)
#define LOAD(n) ldc1 $f##n, FTRACE_REGS_FPR_N(n)($4)
#endif

#if _MIPS_SIM == _ABIO32
// Even registers: half of a pair or, where the FPU is in the mode with 32 of 64 bits, all of a number.
// In that mode the odd ones are nobody's at an entry or a return.
#define ARGUMENTS(op) op(12); op(14)
#define RETURNED(op) op(0); op(2)
#define OTHERS(op)                                                                   \
    op(0); op(2); op(4); op(6); op(8); op(10); op(16); op(18); op(20); op(22);       \
    op(24); op(26); op(28); op(30)
#else
#define ARGUMENTS(op) op(12); op(13); op(14); op(15); op(16); op(17); op(18); op(19)
#define RETURNED(op) op(0); op(2)
#define OTHERS(op)                                                                   \
    op(0); op(1); op(2); op(3); op(4); op(5); op(6); op(7); op(8); op(9); op(10);    \
    op(11); op(20); op(21); op(22); op(23); op(24); op(25); op(26); op(27); op(28);  \
    op(29); op(30); op(31)
#endif

#if __mips_isa_rev >= 6
#define SAVE_HI_LO
#define LOAD_HI_LO
#else
#define SAVE_HI_LO                   \
    mfhi $14;                        \
    REG_S $14, FTRACE_REGS_HI($4);   \
    mflo $14;                        \
    REG_S $14, FTRACE_REGS_LO($4)
#define LOAD_HI_LO                   \
    REG_L $14, FTRACE_REGS_HI($4);   \
    mthi $14;                        \
    REG_L $14, FTRACE_REGS_LO($4);   \
    mtlo $14
#endif

// The flags are the program's, too: any operation on floating-point numbers may raise some.
#ifdef __mips_soft_float
#define SAVE_FCSR
#define LOAD_FCSR
#else
#define SAVE_FCSR                    \
    cfc1 $14, $31;                   \
    sw $14, FTRACE_REGS_FCSR($4)
#define LOAD_FCSR                    \
    lw $14, FTRACE_REGS_FCSR($4);    \
    ctc1 $14, $31
#endif

// void ftrace_save_argument_fp(struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_save_argument_fp
    SAVE_FCSR
    ARGUMENTS(SAVE)
    jr      $31
    nop
    END_FUNCTION ftrace_save_argument_fp

// void ftrace_restore_argument_fp(const struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_restore_argument_fp
    LOAD_FCSR
    ARGUMENTS(LOAD)
    jr      $31
    nop
    END_FUNCTION ftrace_restore_argument_fp

// void ftrace_save_return_fp(struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_save_return_fp
    SAVE_FCSR
    RETURNED(SAVE)
    jr      $31
    nop
    END_FUNCTION ftrace_save_return_fp

// void ftrace_restore_return_fp(const struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_restore_return_fp
    LOAD_FCSR
    RETURNED(LOAD)
    jr      $31
    nop
    END_FUNCTION ftrace_restore_return_fp

// In the place of callbacks, in a dispatch list: they take the struct in $6. Those at an entry want the
// return.
#define IN_LIST(name, flags, fcsr, registers)                                  \
    BEGIN_HIDDEN name;                                                         \
    move    $4, $6;                                                            \
    fcsr;                                                                      \
    registers;                                                                 \
    li      $14, flags;                                                        \
    sw      $14, FTRACE_REGS_FLAGS($4);                                        \
    jr      $31;                                                               \
    li      $2, 1;                                                             \
    END_FUNCTION name
#define RETURN_FLAG FTRACE_REGS_FLAG_RETURN

IN_LIST(ftrace_keep_argument_fp, FTRACE_REGS_FLAG_FP, SAVE_FCSR, ARGUMENTS(SAVE))
IN_LIST(ftrace_put_back_argument_fp, 0, LOAD_FCSR, ARGUMENTS(LOAD))
IN_LIST(ftrace_keep_return_fp, RETURN_FLAG | FTRACE_REGS_FLAG_FP, SAVE_FCSR, RETURNED(SAVE))
IN_LIST(ftrace_put_back_return_fp, RETURN_FLAG, LOAD_FCSR, RETURNED(LOAD))

// void ftrace_save_all_fp(struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_save_all_fp
    SAVE_HI_LO
    SAVE_FCSR
    ARGUMENTS(SAVE)
    OTHERS(SAVE)
    jr      $31
    nop
    END_FUNCTION ftrace_save_all_fp

// void ftrace_restore_all_fp(const struct ftrace_regs*)
    BEGIN_HIDDEN ftrace_restore_all_fp
    LOAD_HI_LO
    LOAD_FCSR
    ARGUMENTS(LOAD)
    OTHERS(LOAD)
    jr      $31
    nop
    END_FUNCTION ftrace_restore_all_fp

    .section .note.GNU-stack, "", @progbits
