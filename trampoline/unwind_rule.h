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
//     0, CFA, block, frame                         top, base -> Frame { sp, ret, ... } ...
//
// The CFA is $29 + 1: with $29 itself this frame and the function's own would look the same to
// unwinders that detect loops by it. A frame that is being handled has the low bit of its sp set,
// so `sp | 1 == CFA` finds both. Of several frames with one sp (tail calls) the outermost, which
// is found first, has the address of the true caller. Not found: 0, which ends the unwinding.
//
// Included by return_to_handler.S: the linker wants an FDE in the object that holds its code.
// Written by hand because .cfi_escape takes no address. The format is that of the LSB's "Exception
// Frames"; the operations are DWARF 5's, section 2.5. (DW_OP_pick of libgcc cannot reach the lowest
// element, hence the 0 below.)
#pragma once

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
#define DW_OP_addr 0x03
#define DW_OP_deref 0x06
#define DW_OP_dup 0x12
#define DW_OP_drop 0x13
#define DW_OP_over 0x14
#define DW_OP_pick 0x15
#define DW_OP_swap 0x16
#define DW_OP_or 0x21
#define DW_OP_plus_uconst 0x23
#define DW_OP_bra 0x28
#define DW_OP_le 0x2c
#define DW_OP_ne 0x2e
#define DW_OP_skip 0x2f
#define DW_OP_lit0 0x30
#define DW_OP_lit1 0x31
#define DW_OP_breg29 0x8d

    .section .eh_frame, "aw", @progbits
    .balign 8
.Lcie:
    .4byte .Lcie_end - .Lcie_id
.Lcie_id:
    .4byte 0
    .byte 1                             // version
    .asciz "zR"
    .uleb128 4                          // code alignment
    .sleb128 -8                         // data alignment
    .byte 31                            // return address column
    .uleb128 1
    .byte 0x0c - (64 - _MIPS_SZPTR) / 32 // pointers: sdata8, sdata4
    .byte DW_CFA_def_cfa
    .uleb128 29
    .uleb128 1
    .balign 8, 0
.Lcie_end:

    .4byte .Lfde_end - .Lfde
.Lfde:
    .4byte .Lfde - .Lcie
    POINTER .Lreturn_to_handler         // with the nop in front
    POINTER .Lreturn_to_handler_end - .Lreturn_to_handler
    .uleb128 0                          // augmentation data

    .byte DW_CFA_val_expression
    .uleb128 31
    .uleb128 .Lrule_end - .Lrule
.Lrule:
    .byte DW_OP_lit0, DW_OP_swap                            // 0 CFA
    .byte DW_OP_addr
    POINTER fgraph_all_blocks
    .byte DW_OP_deref                                       // 0 CFA block
.Lblock:
    .byte DW_OP_dup, DW_OP_bra
    .2byte .Lsearch - (. + 2)
    .byte DW_OP_skip                                        // 0 CFA 0: not found
    .2byte .Lrule_end - (. + 2)
.Lsearch:
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 THREAD_BASE
    .byte DW_OP_deref                                       // 0 CFA block frame
.Lframe:
    .byte DW_OP_plus_uconst
    .uleb128 FRAME_SIZE
    .byte DW_OP_over, DW_OP_plus_uconst
    .uleb128 THREAD_TOP
    .byte DW_OP_deref, DW_OP_over, DW_OP_le, DW_OP_bra      // top <= frame?
    .2byte .Lnext_block - (. + 2)
    .byte DW_OP_dup, DW_OP_plus_uconst
    .uleb128 FRAME_SP
    .byte DW_OP_deref, DW_OP_lit1, DW_OP_or                 // 0 CFA block frame sp|1
    .byte DW_OP_pick, 3, DW_OP_ne, DW_OP_bra
    .2byte .Lframe - (. + 2)
    .byte DW_OP_plus_uconst
    .uleb128 FRAME_RET
    .byte DW_OP_deref, DW_OP_skip                           // 0 CFA block ret: found
    .2byte .Lrule_end - (. + 2)
.Lnext_block:
    .byte DW_OP_drop, DW_OP_plus_uconst
    .uleb128 THREAD_NEXT_BLOCK
    .byte DW_OP_deref, DW_OP_skip
    .2byte .Lblock - (. + 2)
.Lrule_end:

    .byte DW_CFA_val_expression         // the caller's $29 is the one at the entry
    .uleb128 29
    .uleb128 2
    .byte DW_OP_breg29, 0
    .byte DW_CFA_advance_loc1, (.Lmono_frame - .Lreturn_to_handler) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 CLOCK_FRAME_SIZE + 1
    .byte DW_CFA_val_expression
    .uleb128 29
    .uleb128 3
    .byte DW_OP_breg29
    .sleb128 CLOCK_FRAME_SIZE
    .byte DW_CFA_advance_loc1, (.Lsave - .Lmono_frame) / 4
    .byte DW_CFA_def_cfa_offset
    .uleb128 1
    .byte DW_CFA_val_expression
    .uleb128 29
    .uleb128 2
    .byte DW_OP_breg29, 0
    .byte DW_CFA_advance_loc1, 1        // behind the instruction that makes the frame
    .byte DW_CFA_def_cfa_offset
    .uleb128 FTRACE_REGS_SIZE + 1
    .byte DW_CFA_val_expression
    .uleb128 29
    .uleb128 3
    .byte DW_OP_breg29
    .sleb128 FTRACE_REGS_SIZE
    .byte DW_CFA_val_expression         // $28 is saved in the frame
    .uleb128 28
    .uleb128 4
    .byte 0x8d
    .sleb128 FTRACE_REGS_GPR_N(28)
    .byte DW_OP_deref
    .balign 8, 0
.Lfde_end:
    // clang-format on
