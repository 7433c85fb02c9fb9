// The code of the page of a function that is replaced (lib/direct), copied like that of a module's
// page: the page's own address is put into each `lui`.
//
//   function            its page
//   lui   $1          ...
//   jalr  $25,$1  ->  no users    ->  target
//   ori   $1,users    users       ->  ftrace_direct_caller   ->   target
//
// In:  $1 users, $25 address behind the sled, $31 caller.
#include "trampoline/abi_macros.h"
#include "trampoline/function_macros.h"

    .set noreorder
    .set noat
    .text

// At the target everything is as at the function's entry, but $25 = the target, and $1 = the
// DirectCall, for direct_load.
    BEGIN_FROM_SLED direct_page
    beqz    $1, 1f
    lui     $12, 0
    PTR_L   $14, TRAMPOLINE_PAGE_CALLER($12)
    jr      $14
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12)
1:  PTR_L   $1, TRAMPOLINE_PAGE_DIRECT($12)
    PTR_L   $25, DIRECT_TARGET($1)
    .cfi_register 25, 31
    jr      $25
    nop
    END_FUNCTION direct_page

// The function itself, past its sled: what the pointer to the original means. Behind .cpload the
// function has computed its $28 already.
    .globl direct_original
    .hidden direct_original
    BEGIN_HIDDEN direct_original_with_gp
    lui     $1, 0
    PTR_L   $1, TRAMPOLINE_PAGE_DIRECT($1)
    PTR_L   $28, DIRECT_GP($1)
direct_original:
    lui     $1, 0
    PTR_L   $1, TRAMPOLINE_PAGE_DIRECT($1)
    PTR_L   $25, DIRECT_FUNCTION($1)
    PTR_L   $1, DIRECT_RESUME($1)
    jr      $1
    nop
    .globl direct_page_end
    .hidden direct_page_end
direct_page_end:
    END_FUNCTION direct_original_with_gp

    .section .note.GNU-stack, "", @progbits
