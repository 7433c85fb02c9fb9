// What an instruction does to general registers and to the flow of control, as far as that can be
// told without knowing the ISA revision. Encodings: MIPS64 Architecture For Programmers, Volume II,
// Release 5 and Release 6.
#pragma once

#include <cstdint>

#include "lib/mips/insn.h"

namespace mipstrace::mips {

// Fields of an instruction.
struct Insn {
    uint32_t word;

    constexpr uint32_t opcode() const { return word >> 26; }
    constexpr uint32_t rs() const { return word >> 21 & 31; }
    constexpr uint32_t rt() const { return word >> 16 & 31; }
    constexpr uint32_t rd() const { return word >> 11 & 31; }
    constexpr uint32_t function() const { return word & 63; }
    constexpr uint16_t immediate() const { return uint16_t(word); }
    constexpr int16_t offset() const { return int16_t(word); }
};

// Opcodes, and functions of the opcode kSpecial.
enum Opcode : uint32_t {
    kSpecial = 0x00,
    kRegimm = 0x01,
    kJ = 0x02,
    kJal = 0x03,
    kBeq = 0x04,
    kAddiu = 0x09,
    kOri = 0x0d,
    kLui = 0x0f,  // with rs, in Release 6: aui
    kDaddiu = 0x19,
    kLw = 0x23,
    kSw = 0x2b,
    kLd = 0x37,
    kSd = 0x3f,
};
enum Function : uint32_t {
    kJr = 0x08,
    kJalr = 0x09,
    kAddu = 0x21,
    kSubu = 0x23,
    kOr = 0x25,
    kDaddu = 0x2d,
    kDsubu = 0x2f,
};

enum class Flow : uint8_t {
    straight,
    branch,   // conditional, PC-relative, with a delay slot that always runs
    jump,     // unconditional, or a call, or an exception that is meant
    unknown,  // what it is depends on the revision, or it is none of the above
};

struct Effect {
    Flow flow;
    uint8_t writes;  // the one general register that it changes besides a link; 0: none
};

Effect effect_of(Insn insn);

// Where a branch at `address` goes.
constexpr uint64_t branch_target(Insn insn, uint64_t address) {
    return address + 4 + int64_t(insn.offset()) * 4;
}

}  // namespace mipstrace::mips
