// What is live at a function's entry and has to be saved around C++, in the slots of struct
// ftrace_regs. On o32 a sled may stand behind what sets $28, which C++ does not keep there.
#pragma once

#include "trampoline/abi_macros.h"

// clang-format off
#define SAVE(n) REG_S $##n, FTRACE_REGS_GPR_N(n)($29)
#define LOAD(n) REG_L $##n, FTRACE_REGS_GPR_N(n)($29)
#if _MIPS_SIM == _ABIO32
#define LIVE_IN_CALLS(op) op(4); op(5); op(6); op(7); op(15); op(28)
#else
#define LIVE_IN_CALLS(op) op(4); op(5); op(6); op(7); op(8); op(9); op(10); op(11); op(15)
#endif
// clang-format on
