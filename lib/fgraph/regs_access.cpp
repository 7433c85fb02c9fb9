// The accessors of struct ftrace_regs in the public API.
#include <mipstrace/fgraph.h>

#include "lib/fgraph/ftrace_regs.h"

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

namespace {
// In $4-$11 on n64 and n32; on o32 in $4-$7, and then on the stack, behind room for the first four.
constexpr unsigned kFirstArgument = 4;
constexpr unsigned kArgumentRegisters = FRAME_REG == 4 ? 4 : 8;
constexpr unsigned kArguments = 8;
constexpr unsigned kReturnValue = 2;
}  // namespace

MT_PUBLIC unsigned long ftrace_regs_get_argument(const ftrace_regs* regs, unsigned n) {
    if (n < kArgumentRegisters) return static_cast<unsigned long>(regs->gpr[kFirstArgument + n]);
    if (n >= kArguments) return 0;
    return reinterpret_cast<const unsigned long*>(ftrace_regs_get_stack_pointer(regs))[n];
}

MT_PUBLIC unsigned long ftrace_regs_get_return_value(const ftrace_regs* regs) {
    return static_cast<unsigned long>(regs->gpr[kReturnValue]);
}

MT_PUBLIC void ftrace_regs_set_return_value(ftrace_regs* regs, unsigned long value) {
    regs->gpr[kReturnValue] = value;
}

MT_PUBLIC uintptr_t ftrace_regs_get_stack_pointer(const ftrace_regs* regs) {
    return reinterpret_cast<uintptr_t>(regs) + FTRACE_REGS_SIZE;
}
