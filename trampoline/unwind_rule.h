// How unwinders get past return_to_handler: the rule that gives the caller of its frame.
//
// A traced function returns to return_to_handler, so an unwinder that leaves the function's frame
// finds itself there, with $29 as it was at the function's entry. No register and no fixed stack
// slot holds the true return address: the rule for $31 is a DWARF expression that searches the
// shadow stacks of all threads for the frame with this $29. It reads live data only, so nothing has
// to be prepared before an exception, a cancellation, backtrace() or a debugger, in whatever copy
// of an unwinder; and the frames that survive stay as they are, and traced.
//
//   stack of the expression, bottom first        fgraph_all_blocks -> ThreadState -> ...
//     0, key, block, outer, inner, ...             top, base -> Frame { sp, ret, ... } ...
//
// The CFA is $29 + 1: with $29 itself this frame and the function's own would look the same to
// unwinders that know frames by it. Unwinders look for what the kernel has saved for a signal by
// the CFA, though. So where the caller is the return from a signal, which its instructions tell,
// one frame more comes in between, return_from_signal, whose CFA is $29, and which is a signal's to
// debuggers, who would find it too low otherwise. Where the code of return_to_handler runs, its
// frame is in nobody's place, and $29 is right.
//
// The low bits of a frame's sp are marks, so `sp | 7 == CFA | 7` finds it in any state.
// Of several frames with one sp (tail calls) the outermost has the address of the true caller; the
// others have return_to_handler's.
//
// Frames lie on their stack in the order of their calls, so each shadow stack is searched by
// halves: an unwinder asks for every frame that it passes, and a linear search would cost it the
// square of their number. Where a thread ran on several stacks, or has left calls, the order may
// be broken: what the search ends at is a hit only if it is this frame, and if there was none, all
// frames are looked at one by one. Not found either: 0, which ends the unwinding.
//
// Included by return_to_handler.S: the linker wants an FDE in the object that holds its code.
// Written by hand because .cfi_escape takes no address. The format is that of the LSB's "Exception
// Frames"; the operations are DWARF 5's, section 2.5. (DW_OP_pick of libgcc cannot reach the lowest
// element, hence the 0 below. Comparisons are signed, and all addresses are positive.)
#pragma once

#include <asm/unistd.h>

// clang-format off

#if _MIPS_SZPTR == 64
#define POINTER .8byte
#else
#define POINTER .4byte
#endif

#define DW_CFA_def_cfa 0x0c
#define DW_CFA_def_cfa_offset 0x0e
#define DW_CFA_val_expression 0x16
#define DW_CFA_advance_loc1 0x02
#define DW_CFA_offset 0x80
#define DW_CFA_restore 0xc0
#define DW_OP_addr 0x03
#define DW_OP_deref 0x06
#define DW_OP_const1u 0x08
#define DW_OP_const2s 0x0b
#define DW_OP_const4u 0x0c
#define DW_OP_dup 0x12
#define DW_OP_drop 0x13
#define DW_OP_over 0x14
#define DW_OP_pick 0x15
#define DW_OP_swap 0x16
#define DW_OP_rot 0x17
#define DW_OP_and 0x1a
#define DW_OP_minus 0x1c
#define DW_OP_or 0x21
#define DW_OP_plus 0x22
#define DW_OP_plus_uconst 0x23
#define DW_OP_shr 0x25
#define DW_OP_bra 0x28
#define DW_OP_ge 0x2a
#define DW_OP_le 0x2c
#define DW_OP_ne 0x2e
#define DW_OP_skip 0x2f
#define DW_OP_lit0 0x30
#define DW_OP_lit1 0x31
#define DW_OP_lit7 0x37
#define DW_OP_breg29 0x8d
#define DW_OP_deref_size 0x94
#define DW_OP_nop 0x96

// The address lies where a pointer may: musl's dynamic linker relocates it by an ordinary store.
.macro PUSH_ADDRESS symbol
    .balign FGRAPH_POINTER, DW_OP_nop
    .fill FGRAPH_POINTER - 1, 1, DW_OP_nop
    .byte DW_OP_addr
    POINTER \symbol
.endm

// From the CFA to the true return address of the frame with this sp, or 0.
.macro FIND_RETURN_ADDRESS
    .byte DW_OP_lit7, DW_OP_or, DW_OP_lit0, DW_OP_swap      // 0 key
    PUSH_ADDRESS fgraph_all_blocks
    .byte DW_OP_deref                                       // 0 key block

// By halves. At .Lhalve: outer's sp|7 is above the key, or it is the sentinel; inner's is not, or it
// is the top. At the end nothing is between them.
.Lhalve_block\@:
    .byte DW_OP_dup, DW_OP_bra
    .2byte .Lhalve_frames\@ - (. + 2)
    .byte DW_OP_skip
    .2byte .Lnone_by_halves\@ - (. + 2)
.Lhalve_frames\@:
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 THREAD_BASE
    .byte DW_OP_deref, DW_OP_over, DW_OP_plus_uconst
    .uleb128 THREAD_TOP
    .byte DW_OP_deref
.Lhalve\@:
    .byte DW_OP_dup, DW_OP_pick, 2, DW_OP_minus             // 0 key block outer inner distance
    .byte DW_OP_dup, DW_OP_const1u, FRAME_SIZE, DW_OP_le, DW_OP_bra
    .2byte .Lhalved\@ - (. + 2)
    .byte DW_OP_lit1, DW_OP_shr, DW_OP_const2s
    .2byte -FRAME_SIZE
    .byte DW_OP_and, DW_OP_pick, 2, DW_OP_plus              // 0 key block outer inner middle
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 FRAME_SP
    .byte DW_OP_deref, DW_OP_lit7, DW_OP_or                 // 0 key block outer inner middle sp|7
    .byte DW_OP_pick, 5, DW_OP_le, DW_OP_bra
    .2byte .Louter_half\@ - (. + 2)
    .byte DW_OP_rot                                         // 0 key block middle outer inner
.Louter_half\@:
    .byte DW_OP_swap, DW_OP_drop                            // 0 key block, outer middle | middle inner
    .byte DW_OP_skip
    .2byte .Lhalve\@ - (. + 2)
.Lhalved\@:
    .byte DW_OP_drop                                        // 0 key block outer inner
    .byte DW_OP_dup, DW_OP_pick, 3, DW_OP_plus_uconst
    .uleb128 THREAD_TOP
    .byte DW_OP_deref, DW_OP_ge, DW_OP_bra                  // inner >= top?
    .2byte .Lhalve_next\@ - (. + 2)
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 FRAME_SP
    .byte DW_OP_deref, DW_OP_lit7, DW_OP_or                 // 0 key block outer inner sp|7
    .byte DW_OP_pick, 4, DW_OP_ne, DW_OP_bra
    .2byte .Lhalve_next\@ - (. + 2)
    .byte DW_OP_plus_uconst
    .uleb128 FRAME_RET
    .byte DW_OP_deref, DW_OP_dup
    PUSH_ADDRESS return_to_handler                          // 0 key block outer ret ret
    .byte DW_OP_ne, DW_OP_bra                               // found
    .2byte .Lfound\@ - (. + 2)
.Lhalve_next\@:
    .byte DW_OP_drop, DW_OP_drop, DW_OP_plus_uconst
    .uleb128 THREAD_NEXT_BLOCK
    .byte DW_OP_deref, DW_OP_skip
    .2byte .Lhalve_block\@ - (. + 2)

// One by one, the outermost first.
.Lnone_by_halves\@:
    .byte DW_OP_drop
    PUSH_ADDRESS fgraph_all_blocks
    .byte DW_OP_deref                                       // 0 key block
.Lblock\@:
    .byte DW_OP_dup, DW_OP_bra
    .2byte .Lsearch\@ - (. + 2)
    .byte DW_OP_skip                                        // 0 key 0: not found
    .2byte .Lfound\@ - (. + 2)
.Lsearch\@:
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 THREAD_BASE
    .byte DW_OP_deref                                       // 0 key block frame
.Lframe\@:
    .byte DW_OP_plus_uconst
    .uleb128 FRAME_SIZE
    .byte DW_OP_over, DW_OP_plus_uconst
    .uleb128 THREAD_TOP
    .byte DW_OP_deref, DW_OP_over, DW_OP_le, DW_OP_bra      // top <= frame?
    .2byte .Lnext_block\@ - (. + 2)
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 FRAME_SP
    .byte DW_OP_deref, DW_OP_lit7, DW_OP_or                 // 0 key block frame sp|7
    .byte DW_OP_pick, 3, DW_OP_ne, DW_OP_bra
    .2byte .Lframe\@ - (. + 2)
    .byte DW_OP_plus_uconst
    .uleb128 FRAME_RET
    .byte DW_OP_deref, DW_OP_skip                           // 0 key block ret: found
    .2byte .Lfound\@ - (. + 2)
.Lnext_block\@:
    .byte DW_OP_drop, DW_OP_plus_uconst
    .uleb128 THREAD_NEXT_BLOCK
    .byte DW_OP_deref, DW_OP_skip
    .2byte .Lblock\@ - (. + 2)
.Lfound\@:                                                  // ... ret
.endm

    .section .eh_frame, "aw", @progbits
    .balign 8

.macro CIE augmentation
.Lcie\augmentation:
    .4byte .Lcie_end\augmentation - .Lcie_id\augmentation
.Lcie_id\augmentation:
    .4byte 0
    .byte 1                             // version
    .asciz "\augmentation"
    .uleb128 4                          // code alignment
    .sleb128 -FRAME_REG                 // data alignment
    .byte 31                            // return address column
    .uleb128 1
    .byte 0x0c - (64 - _MIPS_SZPTR) / 32 // pointers: sdata8, sdata4
    .byte DW_CFA_def_cfa
    .uleb128 29
    .uleb128 0
    .balign 8, 0
.Lcie_end\augmentation:
.endm

    CIE zR
    .4byte .Lhandler_end - .Lhandler
.Lhandler:
    .4byte .Lhandler - .LciezR
    POINTER return_to_handler_frame
    POINTER .Lreturn_to_handler_end - return_to_handler_frame
    .uleb128 0                          // augmentation data

    .byte DW_CFA_def_cfa_offset         // the nop in front
    .uleb128 1
    .byte DW_CFA_val_expression         // the caller's $29 is the one at the entry
    .uleb128 29
    .uleb128 2
    .byte DW_OP_breg29, 0
    .byte DW_CFA_val_expression
    .uleb128 31
    .uleb128 .Lcaller_end - .Lcaller
.Lcaller:
    FIND_RETURN_ADDRESS
    .byte DW_OP_dup, DW_OP_bra                              // ... ret
    .2byte .Lis_it_a_signal - (. + 2)
    .byte DW_OP_skip
    .2byte .Lcaller_end - (. + 2)
.Lis_it_a_signal:                                           // li $2, rt_sigreturn; syscall
    .byte DW_OP_dup, DW_OP_deref_size, 4
#if _MIPS_SIM == _ABIO32                                    // or sigreturn
    .byte DW_OP_dup, DW_OP_const4u
    .4byte 0x24020000 | __NR_sigreturn
    .byte DW_OP_ne, DW_OP_swap
#endif
    .byte DW_OP_const4u
    .4byte 0x24020000 | __NR_rt_sigreturn
    .byte DW_OP_ne
#if _MIPS_SIM == _ABIO32
    .byte DW_OP_and
#endif
    .byte DW_OP_bra
    .2byte .Lcaller_end - (. + 2)
    .byte DW_OP_dup, DW_OP_plus_uconst, 4, DW_OP_deref_size, 4
    .byte DW_OP_const1u, 0x0c, DW_OP_ne, DW_OP_bra
    .2byte .Lcaller_end - (. + 2)
    PUSH_ADDRESS return_from_signal
.Lcaller_end:

    .byte DW_CFA_advance_loc1, (return_to_handler - return_to_handler_frame) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 0
    .byte DW_CFA_restore | 29           // it is the CFA
    .byte DW_CFA_advance_loc1, (.Lmono_frame - return_to_handler) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 CLOCK_FRAME_SIZE
    .byte DW_CFA_advance_loc1, (leave_by_list - .Lmono_frame) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 0
    .byte DW_CFA_advance_loc1, (.Lmade_frame - leave_by_list) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 FTRACE_REGS_SIZE
    .byte DW_CFA_advance_loc1, (.Lsave - .Lmade_frame) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 0
    .byte DW_CFA_advance_loc1, 1        // behind the instruction that makes the frame
    .byte DW_CFA_def_cfa_offset
    .uleb128 FTRACE_REGS_SIZE
    .byte DW_CFA_offset | 28            // $28 is saved in the frame
    .uleb128 (FTRACE_REGS_SIZE - FTRACE_REGS_GPR_N(28)) / FRAME_REG
    .balign 8, 0
.Lhandler_end:

    CIE zRS
    .4byte .Lsignal_end - .Lsignal
.Lsignal:
    .4byte .Lsignal - .LciezRS
    POINTER return_from_signal_frame
    POINTER .Lreturn_from_signal_end - return_from_signal_frame
    .uleb128 0
    .byte DW_CFA_val_expression
    .uleb128 31
    .uleb128 .Lsignal_caller_end - .Lsignal_caller
.Lsignal_caller:
    FIND_RETURN_ADDRESS
.Lsignal_caller_end:
    .balign 8, 0
.Lsignal_end:
    // clang-format on
