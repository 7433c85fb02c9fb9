// What the two recorders in assembly share: record_by_cycles.h and record_by_mono.h. Both do what
// fgraph_enter and fgraph_leave do for the recorder alone, with the same order of stores
// (lib/fgraph/frames.h, lib/record/event_writer.h).
//
//                        entry                                return
//   $2, $13              block of the thread                  -, block of the thread
//   $3, $5               frame that is pushed                 -, the frame behind the one that is
//   popped $14                  handlers                             handlers
#pragma once

// clang-format off

// block := the thread's.
#define FIND_BLOCK(block, scratch)                                                               \
    rdhwr   scratch, $29;                                                                        \
    PTR_L   block, FGRAPH_HANDLERS_THREAD($14);                                                  \
    PTR_ADDU block, block, scratch;                                                              \
    PTR_L   block, 0(block)

// $3 := the frame to push. To `rare` if there is no room, or no block yet, or the innermost frame
// is not an outer call on this stack; then $1 may be no more what it was. $24 := sp | 1.
#define FIND_ROOM(sp, rare)                                                                      \
    PTR_L   $3, THREAD_TOP($2);                                                                  \
    PTR_L   $24, THREAD_LIMIT($2);                                                               \
    beq     $3, $24, rare;                                                                       \
    PTR_L   $1, THREAD_LOW($2);                                                                  \
    PTR_L   $24, FRAME_SP - FRAME_SIZE($3);                                                      \
    sltu    $1, $1, sp;                                                                          \
    beqz    $1, rare;                                                                            \
    sltu    $24, sp, $24;                                                                        \
    beqz    $24, rare;                                                                           \
    PTR_ADDIU $24, sp, 1

// Claims, publishes and claims the frame, and fills it in. $24: from FIND_ROOM; $13: bias, then
// position. Changes $1.
#define PUSH_CLAIMED                                                                             \
    PTR_S   $24, FRAME_SP($3);                                                                   \
    PTR_ADDIU $1, $3, FRAME_SIZE;                                                                \
    PTR_S   $1, THREAD_TOP($2);                                                                  \
    PTR_S   $24, FRAME_SP($3);                                                                   \
    PTR_S   $31, FRAME_RET($3);                                                                  \
    subu    $13, $25, $13;                                                                       \
    sw      $13, FRAME_POSITION($3);                                                             \
    lw      $1, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    sw      $1, FRAME_USERS($3);                                                                 \
    lw      $1, FGRAPH_HANDLERS_EPOCH($14);                                                      \
    sw      $1, FRAME_EPOCH($3)

// slot := the event that is claimed in the thread's chunk. To `full` if there is none. The next
// instruction is in a delay slot, and may run more than once.
#define CLAIM_EVENT(block, slot, scratch, full)                                                  \
1:  LL      slot, THREAD_WRITER_CURSOR(block);                                                   \
    andi    scratch, slot, 0xffff;                                                               \
    beqz    scratch, full;                                                                       \
    PTR_ADDIU scratch, slot, 8;                                                                  \
    SC      scratch, THREAD_WRITER_CURSOR(block);                                                \
    beqz    scratch, 1b

// The event is in $1, its time in `time`: writes it, time first, and completes the frame. $24
// becomes the function's address, $31 return_to_handler's.
#define WRITE_AND_COMPLETE(time, sp)                                                             \
    sw      time, 0($1);                                                                         \
    sw      $13, 4($1);                                                                          \
    PTR_ADDIU $24, $25, -12;                                                                     \
    PTR_S   $24, FRAME_FUNC($3);                                                                 \
    PTR_L   $31, FGRAPH_HANDLERS_RETURN($14);                                                    \
    PTR_S   sp, FRAME_SP($3)

// $31 := the true return address, after checks: the innermost frame is the recorder's alone, is
// this call's, and was no tail call. Else to `rare`. Changes $4, $7-$9; $5: behind the frame.
#define FIND_FRAME(sp, rare)                                                                     \
    PTR_L   $5, THREAD_TOP($13);                                                                 \
    lw      $4, FGRAPH_HANDLERS_FAST_USERS($14);                                                 \
    lw      $7, FRAME_USERS - FRAME_SIZE($5);                                                    \
    PTR_L   $8, FRAME_SP - FRAME_SIZE($5);                                                       \
    bne     $4, $7, rare;                                                                        \
    PTR_L   $31, FRAME_RET - FRAME_SIZE($5);                                                     \
    bne     $8, sp, rare;                                                                        \
    PTR_L   $9, FGRAPH_HANDLERS_RETURN($14);                                                     \
    beq     $9, $31, rare;                                                                       \
    PTR_ADDIU $8, sp, 1;                                                                         \
    PTR_S   $8, FRAME_SP - FRAME_SIZE($5)

// The event is in $4: writes it, time first. $5 becomes the frame, whose popping is the store
// of it into THREAD_TOP.
#define WRITE_LEAVE(time)                                                                        \
    lw      $9, FRAME_POSITION - FRAME_SIZE($5);                                                 \
    sw      time, 0($4);                                                                         \
    ori     $9, $9, 1;                                                                           \
    sw      $9, 4($4);                                                                           \
    PTR_ADDIU $5, $5, -FRAME_SIZE
// clang-format on
