// struct ftrace_regs for C++. frame_layout.h holds the picture and the offsets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trampoline/frame_layout.h"

#if FRAME_REG == 4
using ftrace_reg = uint32_t;
#else
using ftrace_reg = uint64_t;
#endif

struct ftrace_regs {
#if FRAME_HOME != 0
    uint32_t of_callee[FRAME_HOME / sizeof(uint32_t)];
#endif
    uint32_t flags;       // FTRACE_REGS_FLAG_*
    uint32_t frame_size;  // at an entry: what the function has taken of its stack by now
    ftrace_reg users;     // set of users, from the sled
    ftrace_reg bias;      // see TRAMPOLINE_PAGE_BIAS
    ftrace_reg frames;
    ftrace_reg gpr[32];
    ftrace_reg hi, lo;
    alignas(8) uint64_t fpr[32];
    uint64_t fcsr;
    uint64_t call;  // a pointer, while callbacks run
};

static_assert(offsetof(ftrace_regs, flags) == FTRACE_REGS_FLAGS);
static_assert(offsetof(ftrace_regs, frame_size) == FTRACE_REGS_FRAME_SIZE);
static_assert(offsetof(ftrace_regs, frames) == FTRACE_REGS_FRAMES);
static_assert(offsetof(ftrace_regs, users) == FTRACE_REGS_USERS);
static_assert(offsetof(ftrace_regs, bias) == FTRACE_REGS_BIAS);
static_assert(offsetof(ftrace_regs, gpr) == FTRACE_REGS_GPR);
static_assert(offsetof(ftrace_regs, hi) == FTRACE_REGS_HI);
static_assert(offsetof(ftrace_regs, lo) == FTRACE_REGS_LO);
static_assert(offsetof(ftrace_regs, fpr) == FTRACE_REGS_FPR);
static_assert(offsetof(ftrace_regs, fcsr) == FTRACE_REGS_FCSR);
static_assert(offsetof(ftrace_regs, call) == FTRACE_REGS_CALL);
static_assert(sizeof(ftrace_regs) == FTRACE_REGS_SIZE);
