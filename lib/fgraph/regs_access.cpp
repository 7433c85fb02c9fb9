// The accessors of struct ftrace_regs in the public API.
//
//   n64, n32   argument 0 .. 7   $4 .. $11, or $f12 .. $f19 of the same number
//              argument 8 ..     the stack at the entry, 8 bytes each
//   o32        word 0            $4, or $f12 if it is floating
//              word 1 .. 3       $5 .. $7, or $f14 if it is floating and so is the only one before
//              word 4 ..         the stack, behind room for the first four
//
// Without an FPU in the ABI (soft-float) all are integers. A float on the stack is at the beginning
// of its place in both byte orders, in a register it is the low half.
#include <mipstrace/fgraph.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/frames.h"

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

namespace mipstrace::fgraph {

namespace {

constexpr unsigned kFirstArgument = 4;
constexpr unsigned kFirstFpArgument = 12;
constexpr unsigned kArgumentRegisters = FRAME_REG == 4 ? 4 : 8;
constexpr unsigned kReturnValue = 2;
constexpr unsigned kFpReturnValue = 0;

#ifdef __mips_soft_float
constexpr bool kHasFpu = false;
#else
constexpr bool kHasFpu = true;
#endif

uintptr_t entry_sp_of(const ftrace_regs* regs) {
    return (regs->flags & FTRACE_REGS_FLAG_RETURN) != 0 ? exit_sp(regs) : entry_sp(regs);
}

// Of the arguments behind those in registers, for which o32 leaves room, too.
const void* stack_slot(const ftrace_regs* regs, unsigned n) {
    const unsigned first = FRAME_REG == 4 ? 0 : kArgumentRegisters;
    return reinterpret_cast<const RegisterWord*>(entry_sp_of(regs)) + (n - first);
}

template <typename T>
T read_as(const void* from) {
    T value;
    memcpy(&value, from, sizeof value);
    return value;
}

// A value from a register that was stored whole, or a pair of them.
template <typename Value, typename Register>
Value value_in(const Register* stored) {
    if (sizeof(Value) >= sizeof(Register)) return read_as<Value>(stored);
    const auto low = static_cast<uint32_t>(*stored);
    return read_as<Value>(&low);
}

template <typename Value>
Value fp_argument(const ftrace_regs* regs, unsigned n) {
    if (n >= kArgumentRegisters) return read_as<Value>(stack_slot(regs, n));
    if (!kHasFpu) return value_in<Value>(&regs->gpr[kFirstArgument + n]);
    const bool is_certain = FRAME_REG != 4 || n == 0;
    if (!is_certain || (regs->flags & FTRACE_REGS_FLAG_FP) == 0) return Value(__builtin_nan(""));
    return value_in<Value>(&regs->fpr[kFirstFpArgument + n]);
}

template <typename Value>
Value fp_return_value(const ftrace_regs* regs) {
    if (!kHasFpu) return value_in<Value>(&regs->gpr[kReturnValue]);
    if ((regs->flags & FTRACE_REGS_FLAG_FP) == 0) return Value(__builtin_nan(""));
    return value_in<Value>(&regs->fpr[kFpReturnValue]);
}

}  // namespace

}  // namespace mipstrace::fgraph

using namespace mipstrace::fgraph;

MT_PUBLIC unsigned fgraph_api_version() {
    return FGRAPH_API_VERSION;
}

MT_PUBLIC unsigned long ftrace_regs_get_argument(const ftrace_regs* regs, unsigned n) {
    if (n < kArgumentRegisters) return static_cast<unsigned long>(regs->gpr[kFirstArgument + n]);
    return static_cast<unsigned long>(
        *static_cast<const mipstrace::RegisterWord*>(stack_slot(regs, n)));
}

MT_PUBLIC double ftrace_regs_get_double_argument(const ftrace_regs* regs, unsigned n) {
    return fp_argument<double>(regs, n);
}

MT_PUBLIC float ftrace_regs_get_float_argument(const ftrace_regs* regs, unsigned n) {
    return fp_argument<float>(regs, n);
}

MT_PUBLIC unsigned long ftrace_regs_get_return_value(const ftrace_regs* regs) {
    return static_cast<unsigned long>(regs->gpr[kReturnValue]);
}

MT_PUBLIC void ftrace_regs_set_return_value(ftrace_regs* regs, unsigned long value) {
    regs->gpr[kReturnValue] = value;
}

MT_PUBLIC double ftrace_regs_get_double_return_value(const ftrace_regs* regs) {
    return fp_return_value<double>(regs);
}

MT_PUBLIC float ftrace_regs_get_float_return_value(const ftrace_regs* regs) {
    return fp_return_value<float>(regs);
}

MT_PUBLIC void ftrace_regs_set_double_return_value(ftrace_regs* regs, double value) {
    void* place = kHasFpu ? static_cast<void*>(&regs->fpr[kFpReturnValue])
                          : static_cast<void*>(&regs->gpr[kReturnValue]);
    memcpy(place, &value, sizeof value);
}

MT_PUBLIC void ftrace_regs_set_float_return_value(ftrace_regs* regs, float value) {
    // As lw and lwc1 leave it in a longer register.
    const auto bits = read_as<int32_t>(&value);
    if (kHasFpu)
        regs->fpr[kFpReturnValue] = uint32_t(bits);
    else
        regs->gpr[kReturnValue] = static_cast<ftrace_reg>(bits);
}

MT_PUBLIC uintptr_t ftrace_regs_get_stack_pointer(const ftrace_regs* regs) {
    return entry_sp_of(regs);
}

MT_PUBLIC uintptr_t ftrace_regs_get_return_address(const ftrace_regs* regs) {
    const bool is_return = (regs->flags & FTRACE_REGS_FLAG_RETURN) != 0;
    // A function that was entered by a tail call has the tracer's address already.
    const uintptr_t found =
        is_return ? reinterpret_cast<uintptr_t>(&return_to_handler) : uintptr_t(regs->gpr[31]);
    return ftrace_graph_ret_addr(found, entry_sp_of(regs));
}

MT_PUBLIC uintptr_t ftrace_graph_ret_addr(uintptr_t found, uintptr_t sp) {
    const auto handler = reinterpret_cast<uintptr_t>(&return_to_handler);
    const ShadowStack& stack = this_thread->stack;
    if (found != handler || stack.base == nullptr) return found;
    // Of several with one stack pointer, tail calls, the outermost has the true address.
    for (const Frame* frame = stack.top; --frame > stack.base;) {
        if (sp_of(*frame) == sp && frame->ret != handler) return frame->ret;
    }
    return found;
}
