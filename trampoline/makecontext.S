// makecontext() of the traced program: notes the stack and goes on to libc's, with every argument
// where it was, those on the stack too.
#include "trampoline/function_macros.h"
#include "trampoline/wrapper_frame.h"

    .set noreorder
    .text

    BEGIN_FUNCTION makecontext
    PUSH_FRAME
    ARGUMENTS_IN_FRAME(REG_S)
    bal     1f
    nop
1:
    LOAD_GP(1b)
    PTR_L   $25, GOT(note_coroutine_stack)($28)
    jalr    $25
    nop
    move    $25, $2
    LOAD_FROM_FRAME
    ARGUMENTS_IN_FRAME(REG_L)
    jr      $25
    POP_FRAME
    END_FUNCTION makecontext

    .section .note.GNU-stack, "", @progbits
