// struct ftrace_regs for C++. frame_layout.h holds the picture and the offsets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trampoline/frame_layout.h"

struct ftrace_regs {
    uint32_t flags;  // FTRACE_REGS_FLAG_*
    uint32_t reserved;
    uint64_t users;  // set of users, from the sled
    uint64_t bias;   // see TRAMPOLINE_PAGE_BIAS
    uint64_t spare;
    uint64_t gpr[32];
    uint64_t hi, lo;
    uint64_t fpr[32];
    uint64_t fcsr;
    uint64_t padding;
};

static_assert(offsetof(ftrace_regs, flags) == FTRACE_REGS_FLAGS);
static_assert(offsetof(ftrace_regs, users) == FTRACE_REGS_USERS);
static_assert(offsetof(ftrace_regs, bias) == FTRACE_REGS_BIAS);
static_assert(offsetof(ftrace_regs, gpr) == FTRACE_REGS_GPR);
static_assert(offsetof(ftrace_regs, hi) == FTRACE_REGS_HI);
static_assert(offsetof(ftrace_regs, lo) == FTRACE_REGS_LO);
static_assert(offsetof(ftrace_regs, fpr) == FTRACE_REGS_FPR);
static_assert(offsetof(ftrace_regs, fcsr) == FTRACE_REGS_FCSR);
static_assert(sizeof(ftrace_regs) == FTRACE_REGS_SIZE);
