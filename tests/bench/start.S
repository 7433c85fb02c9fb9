/* A program with as many functions as FUNCTIONS says, of which none is called: what the library does
 * with them when it starts. */
#include <sgidefs.h>

#if _MIPS_SIM == _ABI64
#define POINTER .dword
#define POINTER_ALIGN 3
#else
#define POINTER .word
#define POINTER_ALIGN 2
#endif
#define BYTES 20

    .set noreorder
    .text
first:
    .macro function
    .type function_\@, @function
function_\@:
    nop
    nop
    nop
    jr $31
    nop
    .size function_\@, BYTES
    .endm
    .rept FUNCTIONS
    function
    .endr

    .section __patchable_function_entries, "aw", @progbits
    .align POINTER_ALIGN
    .set at, 0
    .rept FUNCTIONS
    POINTER first + at
    .set at, at + BYTES
    .endr

    .section .note.GNU-stack, "", @progbits
