// The code of a module's trampoline page, as lib/patch/trampoline_page.cpp copies it. What differs
// between pages and processes is 0 here and put in there: the page in each `lui`, the offset of
// this_thread in the LOAD_BLOCK.
//
// In:  $1 users, $25 address behind the sled, $31 caller.
//
// At NAME_gate the first instruction of three may stand:
//   the one below        all functions that are on are the recorder's alone
//   b  NAME_check        the users in $1 tell
//   b  NAME_light        no function is the recorder's alone
//   b  NAME_general      all calls go by CALLER
// The instruction behind the gate, in the branch's delay slot, does no harm there, and is that which
// finds the thread in any case.
//
// The pages have this code's CFI by lib/unwind/find_fde.cpp.
#include "trampoline/enter_by_list.h"
#include "trampoline/function_macros.h"
#include "trampoline/record_by_cycles.h"

    .set noreorder
    .set noat
    .text

// clang-format off
#define PAGE_END(name)                                                                           \
    HIDDEN_LABEL(name##_end)                                                                       \
    END_FUNCTION name;                                                                           \
    .if name##_end - name > TRAMPOLINE_PAGE_LITERALS;                                            \
    .error "no room for literals";                                                               \
    .endif

#define GO_ON_AT(literal)                                                                        \
    lui     $12, 0;                                                                              \
    PTR_L   $14, literal($12);                                                                   \
    jr      $14;                                                                                 \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12)

// What stands behind the recorder's way. `to_recorder`: from behind LOAD_BLOCK back to it.
#define OTHER_WAYS(name, to_recorder, set_position, position)                                    \
    HIDDEN_LABEL(name##_general)                                                                   \
    GO_ON_AT(TRAMPOLINE_PAGE_CALLER);                                                            \
5:  to_recorder;                                                                                 \
    HIDDEN_LABEL(name##_check)                                                                     \
    xori    $24, $1, FGRAPH_RECORDER_ALONE;                                                      \
    beqz    $24, 5b;                                                                             \
    HIDDEN_LABEL(name##_light)                                                                     \
    ENTER_BY_LIST(name##_mark, name##_mark_sync, set_position, position, 6f); \
6:  GO_ON_AT(TRAMPOLINE_PAGE_SAVED)

#define PAGE_BY_CYCLES(name, set_position, position)                                             \
    BEGIN_FROM_SLED name;                                                                        \
    HIDDEN_LABEL(name##_gate)                                                                      \
    PTR_ADDIU $13, $29, FRAME_RECORDER_CLAIMED;                                                  \
    rdhwr   $3, $29;                                                                             \
    LOAD_BLOCK($3);                                                                              \
4:  RECORD_ENTER_BY_CYCLES(set_position, position, name##_general, 3f);                          \
3:  PTR_S   $2, THREAD_TOP($3);         /* the chunk is full: give the frame back */             \
    ori     $1, $0, FGRAPH_RECORDER_ALONE;                                                       \
    OTHER_WAYS(name, b 4b; PTR_ADDIU $13 COMMA $29 COMMA FRAME_RECORDER_CLAIMED, set_position, position); \
    PAGE_END(name)

// record_enter_by_mono does the rest.
#define PAGE_BY_MONO(name, set_position, position)                                               \
    BEGIN_FROM_SLED name;                                                                        \
    HIDDEN_LABEL(name##_gate)                                                                      \
    lui     $12, 0;                                                                              \
    rdhwr   $3, $29;                                                                             \
    LOAD_BLOCK($3);                                                                              \
4:  PTR_L   $14, TRAMPOLINE_PAGE_RECORDER($12);                                                  \
    jr      $14;                                                                                 \
    PTR_L   $13, TRAMPOLINE_PAGE_BIAS($12);                                                      \
    OTHER_WAYS(name, b 4b; lui $12 COMMA 0, set_position, position);                             \
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
    PAGE_BY_MONO(module_page_by_mono, set_no_position, $25)
    PAGE_BY_MONO(module_page_by_mono_with_bias, set_position, $14)

    .section .note.GNU-stack, "", @progbits
