// The one place where assembler sources learn what differs between ABIs and ISA revisions.
//
//                          o32                     n32                     n64
//   register, stack slot   4 bytes                 8                       8
//   pointer                4                       4                       8
//   arguments              $4-$7, then the stack   $4-$11                  $4-$11
//   floating point         $f12, $f14              $f12-$f19               $f12-$f19
//   returned               $2, $3, $f0, $f2        the same                the same
//   room for a callee's    16 bytes at $29         none                    none
//   register arguments
//   $28                    any function's          the callee keeps it     the callee keeps it
#pragma once

#ifndef _ABIO32
#define _ABIO32 1  // the compiler defines its own ABI alone
#endif
#ifndef _ABI64
#define _ABI64 3
#endif

#include "trampoline/frame_layout.h"

#if _MIPS_SIM == _ABI64
#define PTR_L ld
#define PTR_S sd
#define PTR_ADDIU daddiu
#define PTR_ADDU daddu
#define PTR_SUBU dsubu
#define PTR_SLL dsll
#define LL lld
#define SC scd
#else
#define PTR_L lw
#define PTR_S sw
#define PTR_ADDIU addiu
#define PTR_ADDU addu
#define PTR_SUBU subu
#define PTR_SLL sll
#define LL ll
#define SC sc
#endif

#if _MIPS_SIM == _ABIO32
#define REG_L lw
#define REG_S sw
#else
#define REG_L ld
#define REG_S sd
#endif

// clang-format off

// The place of a symbol's address in the GOT.
#if _MIPS_SIM == _ABIO32
#define GOT(symbol) %got(symbol)
#else
#define GOT(symbol) %got_disp(symbol)
#endif

// gp := the module's gp. Stands at `label`, whose address is in `address`. Clobbers nothing else.
#if _MIPS_SIM == _ABIO32
#define LOAD_GP_FROM(gp, label, address)        \
    lui gp, %hi(_gp_disp);                      \
    addiu gp, gp, %lo(_gp_disp);                \
    addu gp, gp, address
#else
#define LOAD_GP_FROM(gp, label, address)        \
    lui gp, %hi(%neg(%gp_rel(label)));          \
    PTR_ADDU gp, gp, address;                   \
    PTR_ADDIU gp, gp, %lo(%neg(%gp_rel(label)))
#endif

// The same for $28, behind a bal to `label`.
#define LOAD_GP(label) LOAD_GP_FROM($28, label, $31)
// clang-format on
