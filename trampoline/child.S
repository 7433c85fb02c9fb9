// Two functions of libc that make children and can't be wrapped in C: see lib/runtime/children.cpp.
#include <asm/unistd.h>

#include "trampoline/function_macros.h"
#include "trampoline/wrapper_frame.h"

#define CLONE_VM_VFORK_SIGCHLD 0x4112

    .set noreorder
    .text

// Returns twice, the first time in the child, which goes on on this stack: so between the system
// call and the child's end nothing here is kept in memory. What mute() has returned waits in $6,
// in the place of an argument that the call does not use; the kernel keeps it, as it does $28 and
// $31.
    .globl __vfork
    .type __vfork, @function
__vfork:
    BEGIN_FUNCTION vfork
    LOAD_GP_FROM($3, vfork, $25)
    PUSH_FRAME
    move    $28, $3
    PTR_L   $25, GOT(mipstrace_before_vfork)($28)
    jalr    $25
    nop
    move    $6, $2
    LOAD_FROM_FRAME
    POP_FRAME
    FRAME_POPPED
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
    PUSH_FRAME
    move    $4, $2
    move    $5, $7
    bal     2f
    nop
2:
    LOAD_GP(2b)
    PTR_L   $25, GOT(mipstrace_after_vfork)($28)
    jalr    $25
    nop
    LOAD_FROM_FRAME
    jr      $31
    POP_FRAME
    END_FUNCTION vfork

// Passes on, by a jump, all numbers but those that may make a process.
    BEGIN_FUNCTION syscall
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
    PUSH_FRAME
    ARGUMENTS_IN_FRAME(REG_S)
    move    $28, $3
    PTR_L   $25, GOT(mipstrace_is_fork)($28)
    jalr    $25
    nop
    PTR_L   $25, GOT(mipstrace_next_syscall)($28)
    beqz    $2, 3f
    nop
    PTR_L   $25, GOT(mipstrace_fork_syscall)($28)
3:
    ARGUMENTS_IN_FRAME(REG_L)
    LOAD_FROM_FRAME
    beqz    $2, 2b
    POP_FRAME
    FRAME_POPPED
    jr      $25
    nop
    END_FUNCTION syscall

    .section .note.GNU-stack, "", @progbits
