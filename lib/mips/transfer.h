// Where an instruction sends the flow of control. Encodings: MIPS64 Architecture For Programmers,
// Volume II, Release 5 and Release 6.
#pragma once

#include <cstdint>

#include "lib/mips/effect.h"

namespace mipstrace::mips {

enum class Transfer : uint8_t {
    none,
    branch,    // to `target`, or on
    jump,      // to `target`
    call,      // comes back behind it
    indirect,  // to where a register tells, and does not come back: a switch, or a call at the end
    returns,   // to $31
    stops,     // raises an exception that is meant
};

struct Way {
    Transfer kind = Transfer::none;
    bool has_slot = true;        // the instruction behind it runs before
    bool is_slot_taken = false;  // but of a branch that is not taken, it does not
    uint8_t reg = 0;             // indirect: the register
    uint64_t target = 0;
};

Way way_of(Insn insn, uint64_t address, bool is_r6);

}  // namespace mipstrace::mips
