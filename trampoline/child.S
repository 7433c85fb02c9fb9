// Two functions of libc that make children and can't be wrapped in C: see lib/runtime/children.cpp.
#include <asm/unistd.h>

#include "trampoline/abi_macros.h"

#define FRAME (80 + FRAME_HOME)
#define FRAME_A(n) (FRAME_HOME + 8 * (n))
#define FRAME_GP (FRAME_HOME + 56)
#define FRAME_RA (FRAME_HOME + 64)
#define CLONE_VM_VFORK_SIGCHLD 0x4112

    .set noreorder
    .text

// Returns twice, the first time in the child, which goes on on this stack: so between the system
// call and the child's end nothing here is kept in memory. What mute() has returned waits in $6,
// in the place of an argument that the call does not use; the kernel keeps it, as it does $28 and
// $31.
    .globl vfork, __vfork
    .ent vfork
    .type vfork, @function
    .type __vfork, @function
vfork:
__vfork:
    .cfi_startproc
    LOAD_GP_FROM($3, vfork, $25)
    PTR_ADDIU $29, $29, -FRAME
    .cfi_adjust_cfa_offset FRAME
    REG_S   $31, FRAME_RA($29)
    .cfi_rel_offset 31, FRAME_RA
    REG_S   $28, FRAME_GP($29)
    move    $28, $3
    PTR_L   $25, GOT(mipstrace_before_vfork)($28)
    jalr    $25
    nop
    move    $6, $2
    REG_L   $31, FRAME_RA($29)
    REG_L   $28, FRAME_GP($29)
    PTR_ADDIU $29, $29, FRAME
    .cfi_adjust_cfa_offset -FRAME
    .cfi_restore 31
    li      $4, CLONE_VM_VFORK_SIGCHLD
    move    $5, $0
    move    $7, $0
    move    $8, $0                      // of no meaning on o32
    li      $2, __NR_clone
    syscall
    bnez    $2, 1f
    nop
    jr      $31
    nop
1:
    PTR_ADDIU $29, $29, -FRAME
    .cfi_adjust_cfa_offset FRAME
    REG_S   $31, FRAME_RA($29)
    .cfi_rel_offset 31, FRAME_RA
    REG_S   $28, FRAME_GP($29)
    move    $4, $2
    move    $5, $7
    bal     2f
    nop
2:
    LOAD_GP(2b)
    PTR_L   $25, GOT(mipstrace_after_vfork)($28)
    jalr    $25
    nop
    REG_L   $31, FRAME_RA($29)
    REG_L   $28, FRAME_GP($29)
    jr      $31
    PTR_ADDIU $29, $29, FRAME
    .cfi_endproc
    .end vfork
    .size vfork, . - vfork

// Passes on, by a jump, all numbers but those that may make a process.
    .globl syscall
    .ent syscall
    .type syscall, @function
syscall:
    .cfi_startproc
    LOAD_GP_FROM($3, syscall, $25)
    li      $2, __NR_fork
    beq     $4, $2, 1f
    li      $2, __NR_clone
    beq     $4, $2, 1f
    li      $2, __NR_clone3
    beq     $4, $2, 1f
    PTR_L   $25, GOT(mipstrace_next_syscall)($3)
2:
    PTR_L   $25, 0($25)
    jr      $25
    nop
1:
    PTR_ADDIU $29, $29, -FRAME
    .cfi_adjust_cfa_offset FRAME
    REG_S   $31, FRAME_RA($29)
    .cfi_rel_offset 31, FRAME_RA
    REG_S   $28, FRAME_GP($29)
    REG_S   $4, FRAME_A(0)($29)
    REG_S   $5, FRAME_A(1)($29)
    REG_S   $6, FRAME_A(2)($29)
    REG_S   $7, FRAME_A(3)($29)
    REG_S   $8, FRAME_A(4)($29)
    REG_S   $9, FRAME_A(5)($29)
    REG_S   $10, FRAME_A(6)($29)
    move    $28, $3
    PTR_L   $25, GOT(mipstrace_is_fork)($28)
    jalr    $25
    nop
    PTR_L   $25, GOT(mipstrace_next_syscall)($28)
    beqz    $2, 3f
    nop
    PTR_L   $25, GOT(mipstrace_fork_syscall)($28)
3:
    REG_L   $4, FRAME_A(0)($29)
    REG_L   $5, FRAME_A(1)($29)
    REG_L   $6, FRAME_A(2)($29)
    REG_L   $7, FRAME_A(3)($29)
    REG_L   $8, FRAME_A(4)($29)
    REG_L   $9, FRAME_A(5)($29)
    REG_L   $10, FRAME_A(6)($29)
    REG_L   $31, FRAME_RA($29)
    REG_L   $28, FRAME_GP($29)
    beqz    $2, 2b
    PTR_ADDIU $29, $29, FRAME
    .cfi_adjust_cfa_offset -FRAME
    .cfi_restore 31
    jr      $25
    nop
    .cfi_endproc
    .end syscall
    .size syscall, . - syscall

    .section .note.GNU-stack, "", @progbits
