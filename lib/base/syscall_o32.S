// raw_syscall6 of o32, whose fifth and sixth argument are on the stack.
    .set noreorder
    .text

#define FRAME 32
#define ARGUMENT(n) (4 * (n))

    .globl mipstrace_syscall_o32
    .hidden mipstrace_syscall_o32
    .ent mipstrace_syscall_o32
    .type mipstrace_syscall_o32, @function
mipstrace_syscall_o32:
    .cfi_startproc
    move    $2, $4
    lw      $8, ARGUMENT(5)($29)
    lw      $9, ARGUMENT(6)($29)
    addiu   $29, $29, -FRAME
    .cfi_adjust_cfa_offset FRAME
    move    $4, $5
    move    $5, $6
    move    $6, $7
    lw      $7, FRAME + ARGUMENT(4)($29)
    sw      $8, ARGUMENT(4)($29)
    sw      $9, ARGUMENT(5)($29)
    syscall
    beqz    $7, 1f
    addiu   $29, $29, FRAME
    .cfi_adjust_cfa_offset -FRAME
    subu    $2, $0, $2
1:
    jr      $31
    nop
    .cfi_endproc
    .end mipstrace_syscall_o32
    .size mipstrace_syscall_o32, . - mipstrace_syscall_o32

    .section .note.GNU-stack, "", @progbits
