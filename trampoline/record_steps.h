// What the two recorders in assembly share: record_by_cycles.h and record_by_mono.h. Both do what
// fgraph_enter and fgraph_leave do for the recorder alone, with the same order of stores
// (lib/fgraph/frames.h, lib/record/event_writer.h).
//
//                        entry                                return
//   block of the thread  $3                                   $13
//   frame                $2: the one that is pushed           $5: behind the one that is popped
#pragma once

#include "trampoline/abi_macros.h"

// clang-format off

// The load of this_thread, behind `rdhwr block, $29`. Its offset from the thread pointer is put in
// when the code is made ready (lib/patch/trampoline_page.h): a load of 0(same register).
#define LOAD_BLOCK(block) PTR_L block, 0(block)

// $2 := the frame to push. To `rare` if there is no room, or no block yet, or the innermost frame
// is not an outer call on this stack. Changes $12, $14, $24. `claimed` is sp with all marks, so that
// no frame at sp is above it. The next instruction is in a delay slot.
#define FIND_ROOM(sp, claimed, rare)                                                             \
    PTR_L   $2, THREAD_TOP($3);                                                                  \
    PTR_L   $12, THREAD_LOW($3);                                                                 \
    PTR_L   $14, THREAD_LIMIT($3);                                                               \
    PTR_L   $24, FRAME_SP - FRAME_SIZE($2);                                                      \
    beq     $2, $14, rare;                                                                       \
    sltu    $12, $12, sp;                                                                        \
    beqz    $12, rare;                                                                           \
    sltu    $24, claimed, $24;                                                                   \
    beqz    $24, rare

// Claims, publishes and claims the frame, and fills it in. $24: the frame behind it. A frame
// without FRAME_MARKS is the recorder's alone, and needs no more than this.
#define PUSH_CLAIMED(claimed, position)                                                          \
    PTR_S   claimed, FRAME_SP($2);                                                               \
    PTR_S   $24, THREAD_TOP($3);                                                                 \
    PTR_S   claimed, FRAME_SP($2);                                                               \
    PTR_S   $31, FRAME_RET($2);                                                                  \
    sw      position, FRAME_POSITION($2)

// slot := the event that is claimed in the thread's chunk. To `full` if there is none. The next
// instruction is in a delay slot, and may run more than once.
#define CLAIM_EVENT(block, slot, scratch, full)                                                  \
1:  LL      slot, THREAD_WRITER_CURSOR(block);                                                   \
    andi    scratch, slot, 0xffff;                                                               \
    beqz    scratch, full;                                                                       \
    PTR_ADDIU scratch, slot, 8;                                                                  \
    SC      scratch, THREAD_WRITER_CURSOR(block);                                                \
    beqz    scratch, 1b

// The event is in $1: writes it, time first, and completes the frame. $31 becomes
// return_to_handler's address.
#define WRITE_AND_COMPLETE(time, position, sp)                                                   \
    sw      time, 0($1);                                                                         \
    sw      position, 4($1);                                                                     \
    PTR_L   $31, THREAD_RETURN($3);                                                              \
    PTR_S   sp, FRAME_SP($2)

// $31 := the return address. To `rare` if the innermost frame is not this call's, or not the
// recorder's alone. Then claims it: `claimed` is the stack pointer, claimed. That of a tail call
// returns to return_to_handler, which sees to the outer call's.
#define FIND_FRAME(sp, claimed, rare)                                                            \
    PTR_L   $5, THREAD_TOP($13);                                                                 \
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5);                                                       \
    bne     $8, sp, rare;                                                                        \
    PTR_L   $31, FRAME_RET - FRAME_SIZE($5);                                                     \
    PTR_S   claimed, FRAME_SP - FRAME_SIZE($5)

// The event is in $4: writes it, time first. $5 becomes the frame, whose popping is the store
// of it into THREAD_TOP.
#define WRITE_LEAVE(time)                                                                        \
    lw      $9, FRAME_POSITION - FRAME_SIZE($5);                                                 \
    sw      time, 0($4);                                                                         \
    ori     $9, $9, 1;                                                                           \
    sw      $9, 4($4);                                                                           \
    PTR_ADDIU $5, $5, -FRAME_SIZE
// clang-format on
