// struct ftrace_regs: what ftrace_regs_caller and return_to_handler build on the stack, for the
// assembler and for C++. Offsets are defined once, here; ftrace_regs.h asserts that the C struct
// agrees.
//
//   sp at entry ->  +----------------------------------+  FTRACE_REGS_SIZE
//                   | call, fcsr, f31 .. f0            |  as far as flags say
//                   | lo, hi                           |
//                   | gpr 31 .. 0                      |
//                   | frames, bias, users              |
//                   | frame size, flags                |
//                   | o32: the callee's                |
//   sp now ------>  +----------------------------------+  0
//
// At an entry gpr 31 is the caller's address and gpr 25 the address behind the sled. At a call of
// _mcount (lib/mcount) "sp at entry" is meant as sp there, which is `frame size` lower.
#pragma once

#define FGRAPH_POINTER __SIZEOF_POINTER__
#define FGRAPH_POINTER_BITS (2 + FGRAPH_POINTER / 8)  // of an index into an array of these

// Bytes of a register, and of the room at the stack pointer that any callee may use.
#if defined(__mips__) && _MIPS_SIM == _ABIO32
#define FRAME_REG 4
#define FRAME_HOME 16
#else
#define FRAME_REG 8
#define FRAME_HOME 0
#endif

// Slots are as wide as a register. Floating-point slots are always 8, and lie at a multiple of it.
#define FTRACE_REGS_FLAGS FRAME_HOME             // 32 bits
#define FTRACE_REGS_FRAME_SIZE (FRAME_HOME + 4)  // 32 bits
#define FTRACE_REGS_USERS (FRAME_HOME + 8)
#define FTRACE_REGS_BIAS (FTRACE_REGS_USERS + FRAME_REG)
// At a call of _mcount: the module's mcount::FrameTable. Of a function that is replaced: its
// DirectCall.
#define FTRACE_REGS_FRAMES (FTRACE_REGS_USERS + 2 * FRAME_REG)
#define FTRACE_REGS_GPR (FTRACE_REGS_USERS + 3 * FRAME_REG)
#define FTRACE_REGS_GPR_N(n) (FTRACE_REGS_GPR + FRAME_REG * (n))
#define FTRACE_REGS_HI FTRACE_REGS_GPR_N(32)
#define FTRACE_REGS_LO FTRACE_REGS_GPR_N(33)
#define FTRACE_REGS_FPR ((FTRACE_REGS_GPR_N(34) + 7) / 8 * 8)
#define FTRACE_REGS_FPR_N(n) (FTRACE_REGS_FPR + 8 * (n))
#define FTRACE_REGS_FCSR FTRACE_REGS_FPR_N(32)
#define FTRACE_REGS_CALL (FTRACE_REGS_FCSR + 8)   // while callbacks run: the call's frame
#define FTRACE_REGS_SIZE (FTRACE_REGS_FCSR + 16)  // 576 or 448: sp stays a multiple of 16

// Flags, the low three bits: which registers hold what the program had. At least, at an entry: the
// integer argument registers, 15, 25, 31; at a return: 2 and 3.
#define FTRACE_REGS_FLAG_RETURN 1  // taken at a return, else at an entry
#define FTRACE_REGS_FLAG_FP 2      // and the floating-point argument or return registers
#define FTRACE_REGS_FLAG_FULL 4    // and all others, hi and lo

// The trampoline page of a module: code, then literals that the code reaches from its own address.
#define TRAMPOLINE_PAGE_LITERALS 1024
#define TRAMPOLINE_PAGE_CALLER TRAMPOLINE_PAGE_LITERALS  // address of ftrace_*_caller
#define TRAMPOLINE_PAGE_HANDLERS (TRAMPOLINE_PAGE_LITERALS + FGRAPH_POINTER)  // of fgraph_handlers
// (address behind a sled) - bias = position of the function
#define TRAMPOLINE_PAGE_BIAS (TRAMPOLINE_PAGE_LITERALS + 2 * FGRAPH_POINTER)
// address of record_enter_by_mono
#define TRAMPOLINE_PAGE_RECORDER (TRAMPOLINE_PAGE_LITERALS + 3 * FGRAPH_POINTER)
// mcount::FrameTable of the module's calls of _mcount
#define TRAMPOLINE_PAGE_FRAMES (TRAMPOLINE_PAGE_LITERALS + 4 * FGRAPH_POINTER)
// the same word of the page of a function that is replaced: its DirectCall
#define TRAMPOLINE_PAGE_DIRECT TRAMPOLINE_PAGE_FRAMES
// what else the caller wants to know of the module; or 0
#define TRAMPOLINE_PAGE_DATA (TRAMPOLINE_PAGE_LITERALS + 5 * FGRAPH_POINTER)
// address of ftrace_regs_caller_saved
#define TRAMPOLINE_PAGE_SAVED (TRAMPOLINE_PAGE_LITERALS + 6 * FGRAPH_POINTER)

// The set of users that trampolines can do without a handler: the one of slot 0, the recorder or
// the counter of calls, alone.
#define FGRAPH_RECORDER_ALONE 1

// struct fgraph_handlers: what the trampolines look up for each call.
#define FGRAPH_HANDLERS_WANTS_FULL 0  // 32 bits: the users that want every register
#define FGRAPH_HANDLERS_EPOCH 4       // 32 bits: counts registrations
#define FGRAPH_HANDLERS_ENTER 8       // uintptr_t (*)(struct ftrace_regs*)
#define FGRAPH_HANDLERS_LEAVE (FGRAPH_HANDLERS_ENTER + FGRAPH_POINTER)
// As ENTER, at a call of _mcount.
#define FGRAPH_HANDLERS_ENTER_AT_CALL (FGRAPH_HANDLERS_ENTER + 2 * FGRAPH_POINTER)

// What the assembler needs of struct ThreadState (WRITER: of the recorder's EventWriter in it) and
// struct Frame.
#define THREAD_WRITER_CURSOR 0
#define THREAD_WRITER_SYNC FGRAPH_POINTER
#define THREAD_TOP 128
#define THREAD_LIMIT (THREAD_TOP + FGRAPH_POINTER)
#define THREAD_BASE (THREAD_TOP + 2 * FGRAPH_POINTER)
#define THREAD_LOW (THREAD_TOP + 3 * FGRAPH_POINTER)
#define THREAD_RETURN (THREAD_TOP + 6 * FGRAPH_POINTER)       // address of return_to_handler
#define THREAD_IN_CALLBACK (THREAD_TOP + 7 * FGRAPH_POINTER)  // the frame, or 0
#define THREAD_CLOCK (THREAD_TOP + 8 * FGRAPH_POINTER)        // the vDSO's clock_gettime, or 0
#define THREAD_NEXT_BLOCK (THREAD_TOP + 9 * FGRAPH_POINTER)
#define THREAD_LISTS (THREAD_TOP + 10 * FGRAPH_POINTER)  // fgraph_lists
#define FRAME_FUNC 0                                     // the frame's call is where it is
#define FRAME_POSITION FGRAPH_POINTER
#define FRAME_SP (FRAME_POSITION + 8)
#define FRAME_RET (FRAME_SP + FGRAPH_POINTER)
#define FRAME_EPOCH ((FRAME_RET + FGRAPH_POINTER + 7) / 8 * 8)
#define FRAME_USERS (FRAME_EPOCH + 4)
#define FRAME_STAGE (FRAME_USERS + TOP_BYTE)
#define FRAME_LIST (FRAME_EPOCH + 16)
#define FRAME_STACK (FRAME_LIST + FGRAPH_POINTER)  // the thread's block + THREAD_TOP
#define FRAME_SIZE 64
// Marks in the low bits of FRAME_SP. None: complete, and the recorder's alone.
#define FRAME_BY_LIST 1           // complete, described in full, and its return goes by FRAME_LIST
#define FRAME_CLAIMED 2           // being handled, and described in full
#define FRAME_FULL 5              // complete, and described in full
#define FRAME_RECORDER_CLAIMED 7  // being handled, and the recorder's alone
#define FRAME_MARKS 7
// FRAME_STAGE while the callbacks of a list are called at an entry. At a return it is odd.
#define FRAME_ASKING 2

// struct CallSites and struct Arc of lib/call_counter, for count_arc.
#define CALL_SITES_START 0
#define CALL_SITES_SIZE FGRAPH_POINTER
#define CALL_SITES_SLOTS (2 * FGRAPH_POINTER)
#define CALL_SITES_ARCS (3 * FGRAPH_POINTER)
#define ARC_COUNT 0
#define ARC_CALLEE 8
#define ARC_NEXT 12

// struct DispatchList: the callbacks of a set of users, in order. Each is a pair of pointers, a
// function and what it gets as its struct fgraph_ops. They stand at the end of their array, and
// LIST_ENTER and LIST_LEAVE are where the code that calls such an array begins with the first.
#define LIST_EPOCH 0   // 32 bits, of which frames may use it; or kNoEpoch
#define LIST_STAMP 8   // 32 bits, the same, for good; together with
#define LIST_USERS 12  // what becomes FRAME_USERS: those that may want the return; FRAME_ASKING
#define LIST_ENTER 16
#define LIST_LEAVE (LIST_ENTER + FGRAPH_POINTER)
#define LIST_PAIR (2 * FGRAPH_POINTER)
#define LIST_PAIR_BITS (1 + FGRAPH_POINTER_BITS)
#define LIST_ASK_WORDS 7   // of code for each, where results of entries matter
#define LIST_CALL_WORDS 6  // and where they do not
#define LIST_PAIRS 18      // of 16 users, and of what keeps floating-point registers
#define LIST_ENTRIES (LIST_LEAVE + FGRAPH_POINTER)
#define LIST_LEAVES (LIST_ENTRIES + LIST_PAIRS * LIST_PAIR)

// struct DirectCall of lib/direct.
#define DIRECT_TARGET 0                 // where calls go
#define DIRECT_FUNCTION FGRAPH_POINTER  // the function, and behind its sled
#define DIRECT_RESUME (2 * FGRAPH_POINTER)
#define DIRECT_GP (3 * FGRAPH_POINTER)    // what .cpload before the sled computes
#define DIRECT_LOAD (4 * FGRAPH_POINTER)  // uintptr_t (*)(struct DirectCall*, sp)

// struct fgraph_ops: slot.
#define FGRAPH_OPS_SLOT (6 * FGRAPH_POINTER)

// Where the low 16 bits of a word are, and its high 8 bits.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW_HALF 2
#define TOP_BYTE 0
#else
#define LOW_HALF 0
#define TOP_BYTE 3
#endif
