// See register_file.h. The caller's frame is known to the function that it calls:
//
//   sp +    0   CallResult
//         ...   returned, result, what the caller itself has to keep
#include "tests/unit/register_file.h"
#include "tests/unit/sled_macros.h"

#define COMMA ,
#define HARNESS_RETURNED RESULT_SIZE
#define HARNESS_RESULT (RESULT_SIZE + 8)
#define HARNESS_FCSR (RESULT_SIZE + 16)
#define HARNESS_KEPT(n) (RESULT_SIZE + 24 + 8 * (n))
#define HARNESS_SIZE ((HARNESS_KEPT(23) + 15) & ~15)

#define GPRS(op)                                                                              \
    op(1); op(2); op(3); op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11); op(12);    \
    op(13); op(14); op(15); op(16); op(17); op(18); op(19); op(20); op(21); op(22); op(23);   \
    op(24); op(28); op(30)
#define CALLER_SAVED_GPRS(op)                                                                 \
    op(1); op(2); op(3); op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11); op(12);    \
    op(13); op(14); op(15); op(24)
// On o32 the even ones, which work in every mode of the FPU.
#if _MIPS_SIM == _ABIO32
#define CALLER_SAVED_FPRS(op)                                                                 \
    op(0); op(2); op(4); op(6); op(8); op(10); op(12); op(14); op(16); op(18)
#define CALLEE_SAVED_FPRS(op) op(20); op(22); op(24); op(26); op(28); op(30)
#define FIRST_KEPT_FPR 20
#elif _MIPS_SIM == _ABIN32
#define CALLER_SAVED_FPRS(op)                                                                 \
    op(0); op(1); op(2); op(3); op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11);     \
    op(12); op(13); op(14); op(15); op(16); op(17); op(18); op(19); op(21); op(23); op(25);   \
    op(27); op(29); op(31)
#define CALLEE_SAVED_FPRS(op) op(20); op(22); op(24); op(26); op(28); op(30)
#define FIRST_KEPT_FPR 20
#else
#define CALLER_SAVED_FPRS(op)                                                                 \
    op(0); op(1); op(2); op(3); op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11);     \
    op(12); op(13); op(14); op(15); op(16); op(17); op(18); op(19); op(20); op(21); op(22);   \
    op(23)
#define CALLEE_SAVED_FPRS(op) op(24); op(25); op(26); op(27); op(28); op(29); op(30); op(31)
#define FIRST_KEPT_FPR 24
#endif

#if __mips_isa_rev >= 6
#define STORE_HI_LO(at)
#define LOAD_HI_LO
#else
#define STORE_HI_LO(at)                                 \
    mfhi $8; REG_S $8, RESULT_##at + REGISTERS_HI($29); \
    mflo $8; REG_S $8, RESULT_##at + REGISTERS_LO($29)
#define LOAD_HI_LO                             \
    REG_L $8, REGISTERS_HI($25); mthi $8;      \
    REG_L $8, REGISTERS_LO($25); mtlo $8
#endif

// All into a RegisterFile at base + at; $8 is used once it is stored.
#define STORE_REGISTERS(at)                             \
    GPRS(STORE_GPR_##at);                               \
    STORE_GPR_##at(25); STORE_GPR_##at(29); STORE_GPR_##at(31); \
    CALLER_SAVED_FPRS(STORE_FPR_##at);                  \
    CALLEE_SAVED_FPRS(STORE_FPR_##at);                  \
    STORE_HI_LO(at);                                    \
    cfc1 $8, $31; REG_S $8, RESULT_##at + REGISTERS_FCSR($29)
#define STORE_GPR_AT_ENTRY(n) REG_S $##n, RESULT_AT_ENTRY + REGISTERS_GPR_N(n)($29)
#define STORE_FPR_AT_ENTRY(n) sdc1 $f##n, RESULT_AT_ENTRY + REGISTERS_FPR_N(n)($29)
#define STORE_GPR_AFTER(n) REG_S $##n, RESULT_AFTER + REGISTERS_GPR_N(n)($29)
#define STORE_FPR_AFTER(n) sdc1 $f##n, RESULT_AFTER + REGISTERS_FPR_N(n)($29)

// From the RegisterFile at $25.
#define LOAD_GPR(n) REG_L $##n, REGISTERS_GPR_N(n)($25)
#define LOAD_FPR(n) ldc1 $f##n, REGISTERS_FPR_N(n)($25)
#define LOAD_SPECIAL                        \
    LOAD_HI_LO;                                \
    REG_L $8, REGISTERS_FCSR($25); ctc1 $8, $31

#define KEEP(i, n) REG_S $##n, HARNESS_KEPT(i)($29)
#define TAKE(i, n) REG_L $##n, HARNESS_KEPT(i)($29)
#define KEEP_FP(n) sdc1 $f##n, HARNESS_KEPT(n - FIRST_KEPT_FPR + 11)($29)
#define TAKE_FP(n) ldc1 $f##n, HARNESS_KEPT(n - FIRST_KEPT_FPR + 11)($29)
#define EACH_KEPT(op)                                                                         \
    op(0,16); op(1,17); op(2,18); op(3,19); op(4,20); op(5,21); op(6,22); op(7,23);   \
    op(8,28); op(9,30); op(10,31)

    .set noreorder
    .set noat

FUNCTION(call_with_registers)
    PTR_ADDIU $29, $29, -HARNESS_SIZE
    .cfi_adjust_cfa_offset HARNESS_SIZE
    EACH_KEPT(KEEP)
    .cfi_rel_offset 31, HARNESS_KEPT(10)
    CALLEE_SAVED_FPRS(KEEP_FP)
    cfc1    $8, $31
    REG_S      $8, HARNESS_FCSR($29)
    REG_S      $5, HARNESS_RETURNED($29)
    REG_S      $6, HARNESS_RESULT($29)
    REG_S      $29, RESULT_SP($29)
    move    $25, $4
    LOAD_SPECIAL
    CALLER_SAVED_FPRS(LOAD_FPR)
    CALLEE_SAVED_FPRS(LOAD_FPR)
    GPRS(LOAD_GPR)
    LOAD_GPR(25)
    jalr    $25
    nop
    .globl call_with_registers_back
call_with_registers_back:
    STORE_REGISTERS(AFTER)
    REG_L      $8, HARNESS_FCSR($29)
    ctc1    $8, $31
    CALLEE_SAVED_FPRS(TAKE_FP)
    EACH_KEPT(TAKE)
    REG_L      $4, HARNESS_RESULT($29)
    move    $5, $29
    PTR_ADDIU $6, $29, RESULT_SIZE
1:
    REG_L      $8, 0($5)
    REG_S      $8, 0($4)
    PTR_ADDIU $5, $5, FRAME_REG
    bne     $5, $6, 1b
    PTR_ADDIU $4, $4, FRAME_REG
    jr      $31
    PTR_ADDIU $29, $29, HARNESS_SIZE
END_FUNCTION(call_with_registers)

#define DUMP_BODY                       \
    STORE_REGISTERS(AT_ENTRY);          \
    REG_L $25, HARNESS_RETURNED($29);        \
    LOAD_SPECIAL;                       \
    CALLER_SAVED_FPRS(LOAD_FPR);        \
    CALLER_SAVED_GPRS(LOAD_GPR);        \
    LOAD_GPR(25);                       \
    jr $31;                             \
    nop

FUNCTION(dump_registers_plain)
    DUMP_BODY
END_FUNCTION(dump_registers_plain)

SLEDDED(dump_registers)
    DUMP_BODY
END_FUNCTION(dump_registers)

SLEDDED(dump_registers_by_tail_call)
    TAIL_CALL(dump_registers_by_tail_call, dump_registers)
END_FUNCTION(dump_registers_by_tail_call)

// What a compiler makes of -pg. It has given the stack back when it looks at the registers.
#if _MIPS_SIM == _ABIO32
#define SET_GP(self)                            \
9:  LOAD_GP_FROM($28, 9b, $25);                 \
    addiu $28, $28, 9b - self
#define PUSH addiu $29, $29, -8
#else
#define SET_GP(self) LOAD_GP_FROM($28, self, $25)
#define PUSH
#endif
#define CALLS_MCOUNT(name, save, load)          \
    FUNCTION(name);                             \
    PTR_ADDIU $29, $29, -48;                    \
    .cfi_adjust_cfa_offset 48;                  \
    save;                                       \
    REG_S $28, 16($29);                         \
    SET_GP(name);                               \
    .globl name##_site;                         \
    name##_site: move $1, $31;                  \
    PUSH;                                       \
    PTR_L $25, %call16(_mcount)($28);           \
    jalr $25;                                   \
    nop;                                        \
    load;                                       \
    REG_L $28, 16($29);                         \
    PTR_ADDIU $29, $29, 48;                     \
    .cfi_adjust_cfa_offset -48;                 \
    DUMP_BODY;                                  \
    END_FUNCTION(name)

CALLS_MCOUNT(dump_registers_calling_mcount, REG_S $31 COMMA 24($29), REG_L $31 COMMA 24($29))
CALLS_MCOUNT(dump_registers_calling_mcount_as_leaf, , )

#define TRASH_GPR(n) li $##n, 0x7a500000 + n
#define TRASH_FPR(n) mtc1 $8, $f##n; cvt.d.w $f##n, $f##n
FUNCTION(trash_registers)
    li      $8, 0x55aa
    CALLER_SAVED_FPRS(TRASH_FPR)
    li      $8, 1
    mtc1    $8, $f4
    cvt.d.w $f4, $f4
    li      $8, 3
    mtc1    $8, $f6
    cvt.d.w $f6, $f6
    div.d   $f8, $f4, $f6                       // 1.0 / 3: inexact
#if __mips_isa_rev < 6
    c.lt.d  $fcc0, $f4, $f6
    c.lt.d  $fcc3, $f4, $f6
    mthi    $8
    mtlo    $8
#endif
    CALLER_SAVED_GPRS(TRASH_GPR)
    jr      $31
    li      $25, 0x7a5
END_FUNCTION(trash_registers)

    .section .note.GNU-stack, "", @progbits
