// Where the registers and the stack of a call hold its values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/fgraph/ftrace_regs.h"
#include "lib/values/value.h"

namespace mipstrace::record {

// Copies a value that is no string, recorded_size(value) bytes, as a record has it. Of `regs` all
// is there that the value needs.
void read_value(const ftrace_regs& regs, const values::Value& value, unsigned char* to);

// The pointer that a string is given by.
uintptr_t read_pointer(const ftrace_regs& regs, const values::Value& value);

}  // namespace mipstrace::record
