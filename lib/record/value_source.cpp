#include "lib/record/value_source.h"

#include <algorithm>

#include "lib/base/abi.h"
#include "lib/base/readable.h"
#include "lib/fgraph/frames.h"

namespace mipstrace::record {

namespace {

constexpr unsigned kUnit = FRAME_REG;
constexpr unsigned kArgumentRegisters = FRAME_REG == 4 ? 4 : 8;
constexpr unsigned kFirstArgument = 4;
constexpr unsigned kReturned = 2;
constexpr uintptr_t kPage = 4096;

void copy(unsigned char* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = static_cast<const unsigned char*>(from)[i];
}

bool is_returned(const values::Value& value) {
    return value.index == values::kReturned;
}

// The register or place on the stack that holds the n-th unit of an integer or a structure. Null:
// there is no such.
const void* unit_of(const ftrace_regs& regs, const values::Value& value, unsigned n) {
    if (is_returned(value)) return n < 2 ? &regs.gpr[kReturned + n] : nullptr;
    const unsigned slot = value.slot + n;
    if (slot < kArgumentRegisters) return &regs.gpr[kFirstArgument + slot];
    const uintptr_t sp = fgraph::entry_sp(&regs);
    const uintptr_t at = sp + kUnit * (FRAME_REG == 4 ? slot : slot - kArgumentRegisters);
    // Nothing tells how many arguments the function has.
    if ((at ^ sp) >= kPage && readable_bytes(at, kUnit) != kUnit) return nullptr;
    return reinterpret_cast<const void*>(at);
}

const uint64_t* floating_unit_of(const ftrace_regs& regs, const values::Value& value, unsigned n) {
    if (is_returned(value)) return n < 2 ? &regs.fpr[2 * n] : nullptr;
    const unsigned number = (value.format == 't' ? 12 + value.slot : value.reg) + n;
    return number < 20 ? &regs.fpr[number] : nullptr;
}

bool is_floating_unit(const values::Value& value, unsigned n) {
    if (value.format != 't') return value.in_fpr;
    return (value.floating_part >> n & 1) != 0 &&
           (is_returned(value) || value.slot + n < kArgumentRegisters);
}

// A number that is shorter than the register it is in.
void read_low(const ftrace_regs& regs, const values::Value& value, unsigned char* to) {
    const bool is_on_stack = !is_returned(value) && value.slot >= kArgumentRegisters;
    uint32_t low = 0;
    if (value.in_fpr) {
        low = uint32_t(*floating_unit_of(regs, value, 0));
    } else if (const void* unit = unit_of(regs, value, 0); unit == nullptr) {
    } else if (values::is_floating(value) && is_on_stack) {
        low = *static_cast<const uint32_t*>(unit);  // at the beginning of its place
    } else {
        low = uint32_t(*static_cast<const RegisterWord*>(unit));
    }
    copy(to, &low, sizeof low);
}

}  // namespace

void read_value(const ftrace_regs& regs, const values::Value& value, unsigned char* to) {
    if (value.format != 't' && value.size <= sizeof(uint32_t)) return read_low(regs, value, to);
    const unsigned size = values::recorded_size(value);
    for (unsigned n = 0, at = 0; at < size; n++) {
        const bool is_floating = is_floating_unit(value, n);
        const void* unit = is_floating ? static_cast<const void*>(floating_unit_of(regs, value, n))
                                       : unit_of(regs, value, n);
        const unsigned bytes = std::min(size - at, is_floating ? 8u : kUnit);
        for (unsigned i = 0; i < bytes && unit == nullptr; i++)
            to[at + i] = 0;
        if (unit != nullptr) copy(to + at, unit, bytes);
        at += bytes;
    }
}

uintptr_t read_pointer(const ftrace_regs& regs, const values::Value& value) {
    const void* unit = unit_of(regs, value, 0);
    return unit != nullptr ? uintptr_t(*static_cast<const RegisterWord*>(unit)) : 0;
}

}  // namespace mipstrace::record
