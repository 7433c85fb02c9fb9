// All registers that a program has, and the frame in which registers_harness.S keeps them.
#pragma once

#include "trampoline/frame_layout.h"

#define REGISTERS_GPR_N(n) (FRAME_REG * (n))
#define REGISTERS_HI REGISTERS_GPR_N(32)
#define REGISTERS_LO REGISTERS_GPR_N(33)
#define REGISTERS_FPR_N(n) (REGISTERS_GPR_N(34) + 8 * (n))
#define REGISTERS_FCSR REGISTERS_FPR_N(32)
#define REGISTERS_SIZE (REGISTERS_FCSR + 8)

#define RESULT_AT_ENTRY 0
#define RESULT_AFTER REGISTERS_SIZE
#define RESULT_SP (2 * REGISTERS_SIZE)
#define RESULT_SIZE (2 * REGISTERS_SIZE + 8)

#ifndef __ASSEMBLER__
#include <cstddef>
#include <cstdint>

#if FRAME_REG == 4
using Register = uint32_t;
#else
using Register = uint64_t;
#endif

struct RegisterFile {
    Register gpr[32];
    Register hi, lo;
    uint64_t fpr[32];
    alignas(8) Register fcsr;
};
static_assert(offsetof(RegisterFile, hi) == REGISTERS_HI);
static_assert(offsetof(RegisterFile, fpr) == REGISTERS_FPR_N(0));
static_assert(offsetof(RegisterFile, fcsr) == REGISTERS_FCSR);
static_assert(sizeof(RegisterFile) == REGISTERS_SIZE);

struct CallResult {
    RegisterFile at_entry;   // what the function found
    RegisterFile after;      // what its caller found
    alignas(8) Register sp;  // of the caller, all along
};
static_assert(offsetof(CallResult, after) == RESULT_AFTER);
static_assert(offsetof(CallResult, sp) == RESULT_SP);
static_assert(sizeof(CallResult) == RESULT_SIZE);

extern "C" {
// Calls the function whose address is before->gpr[25] with every register loaded from `before`
// (but 0, 26, 27, 29 and 31).
void call_with_registers(const RegisterFile* before, const RegisterFile* returned,
                         CallResult* result);
extern const char call_with_registers_back[];  // where it is returned to

// Functions for it to call: note every register, load all that a function may change from
// `returned`, and return. The first has no sled, the last is two functions.
void dump_registers_plain();
void dump_registers();
void dump_registers_by_tail_call();

// As dump_registers, but they call _mcount behind a prologue; the second does not store $31.
void dump_registers_calling_mcount();
void dump_registers_calling_mcount_as_leaf();
extern const char dump_registers_calling_mcount_site[];
extern const char dump_registers_calling_mcount_as_leaf_site[];

// Changes every register that a function may change, and the flags of the FPU.
void trash_registers();
}
#endif
