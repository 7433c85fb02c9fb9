// Two functions that do nothing, to measure what recording a call costs: lib/record/overhead.cpp. One
// has a sled that is on for the recorder alone, as lib/mips/sled.h has it, with the page of a module
// put in at start; the other has a sled that is not made ready.
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"

    .set noreorder
    .set noat
    .text

    .globl measured_call
    .hidden measured_call
    .ent measured_call
    .type measured_call, @function
measured_call:
    lui     $1, 0
    jalr    $25, $1
    ori     $1, $0, FGRAPH_RECORDER_ALONE
    jr      $31
    nop
    .end measured_call
    .size measured_call, . - measured_call

    .globl plain_call
    .hidden plain_call
    .ent plain_call
    .type plain_call, @function
plain_call:
    nop
    nop
    nop
    jr      $31
    nop
    .end plain_call
    .size plain_call, . - plain_call

    .section .note.GNU-stack, "", @progbits
