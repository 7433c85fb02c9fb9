// Where each ABI passes values.
//
//   n64, n32   slots of 8 bytes: 0 .. 7 are $4 .. $11, the others on the stack from sp on. What is
//              floating and in one of the first 8 is in $f12 .. $f19 instead, and so is what of a
//              structure is a double.
//   o32        slots of 4 bytes: 0 .. 3 are $4 .. $7, the others on the stack from sp + 16 on. What
//              has 8 bytes begins at an even one. The first two arguments, as long as all are
//              floating, are in $f12 and $f14.
//   returned   $2 and $3; $f0 and $f2
#pragma once

#include <cstddef>

#include "lib/values/value.h"

namespace mipstrace::values {

struct AbiRules {
    uint8_t abi;   // as format::Abi
    bool has_fpu;  // else floating-point numbers are passed as integers

    constexpr bool is_o32() const { return abi == 1; }
    constexpr unsigned slot_bytes() const { return is_o32() ? 4 : 8; }
    constexpr unsigned slots_in_registers() const { return is_o32() ? 4 : 8; }
    constexpr unsigned long_bytes() const { return abi == 3 ? 8 : 4; }
};

// Sizes that were not given, and the places of the values of one rule. Of arguments without a value
// nothing is known: they count as integers of one slot.
void place_values(const AbiRules& rules, Value* values, size_t count);

}  // namespace mipstrace::values
