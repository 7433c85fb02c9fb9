// The code of a module's trampoline page, as lib/patch/trampoline_page.cpp copies it. What differs
// between pages and processes is 0 here and put in there: the page in each `lui`, the offset of
// this_thread in the LOAD_BLOCK.
//
// In:  $1 users, $25 address behind the sled, $31 caller.
//
// At NAME_gate the first instruction of three may stand:
//   the one below        all functions that are on are the recorder's alone
//   b  NAME_check        the users in $1 tell
//   b  NAME_general      the recorder has no way of its own
// The instruction behind the gate, in the branch's delay slot, does no harm there.
//
// The pages have this code's CFI by lib/unwind/find_fde.cpp.
#include "trampoline/function_macros.h"
#include "trampoline/record_by_cycles.h"

    .set noreorder
    .set noat
    .text

// clang-format off
#define PAGE_LABEL(label) .globl label; .hidden label; label:

#define PAGE_END(name)                                                                           \
    PAGE_LABEL(name##_end)                                                                       \
    END_FUNCTION name

// `replaced`: the instruction at the gate; `resume`: the second one behind it.
#define CHECK_USERS(name, replaced, resume)                                                      \
    PAGE_LABEL(name##_check)                                                                     \
    xori    $24, $1, FGRAPH_RECORDER_ALONE;                                                      \
    beqz    $24, 5f;                                                                             \
    PAGE_LABEL(name##_general)                                                                   \
    lui     $12, 0;                                                                              \
    PTR_L   $14, TRAMPOLINE_PAGE_CALLER($12);                                                    \
    jr      $14;                                                                                 \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12);                                                      \
5:  b       resume;                                                                              \
    replaced

#define PAGE_BY_CYCLES(name, set_position, position)                                             \
    BEGIN_FROM_SLED name;                                                                        \
    PAGE_LABEL(name##_gate)                                                                      \
    rdhwr   $3, $29;                                                                             \
    PTR_ADDIU $13, $29, FRAME_RECORDER_CLAIMED;                                                  \
4:  RECORD_ENTER_BY_CYCLES(set_position, position, name##_general, 3f);                          \
    CHECK_USERS(name, rdhwr $3 COMMA $29, 4b);                                                   \
3:  PTR_S   $2, THREAD_TOP($3);         /* the chunk is full: give the frame back */             \
    b       name##_general;                                                                      \
    ori     $1, $0, FGRAPH_RECORDER_ALONE;                                                       \
    PAGE_END(name)

#define COMMA ,
// clang-format on

.macro set_no_position
.endm
.macro set_position
    lui     $14, 0
    PTR_L   $14, TRAMPOLINE_PAGE_BIAS($14)
    subu    $14, $25, $14
.endm

// Of a module whose bias is 0: the address behind a sled is its position.
    PAGE_BY_CYCLES(module_page_by_cycles, set_no_position, $25)
    PAGE_BY_CYCLES(module_page_by_cycles_with_bias, set_position, $14)

// Clock mono: record_enter_by_mono does the rest.
    BEGIN_FROM_SLED module_page_by_mono
    lui     $12, 0
    PAGE_LABEL(module_page_by_mono_gate)
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12)
    PTR_L   $14, TRAMPOLINE_PAGE_RECORDER($12)
4:  jr      $14
    rdhwr   $3, $29
    CHECK_USERS(module_page_by_mono, PTR_L $13 COMMA TRAMPOLINE_PAGE_BIAS($12), 4b)
    PAGE_END(module_page_by_mono)

    .section .note.GNU-stack, "", @progbits
