// Encoders for the instructions that the patcher writes. Encodings: MIPS64 Architecture For
// Programmers, Volume II. The same words on every ABI; byte order is the machine's own.
#pragma once

#include <cstdint>

namespace mipstrace::mips {

// Register numbers. Names ($t0, $a4, ...) mean different registers on o32 and n64; numbers do not.
enum Reg : uint32_t { zero = 0, at = 1, r12 = 12, r13 = 13, r14 = 14, t9 = 25, ra = 31 };

inline constexpr uint32_t kNop = 0;  // sll $0,$0,0

constexpr uint32_t lui(Reg rt, uint16_t imm) {
    return 0x0fu << 26 | uint32_t(rt) << 16 | imm;
}

constexpr uint32_t ori(Reg rt, Reg rs, uint16_t imm) {
    return 0x0du << 26 | uint32_t(rs) << 21 | uint32_t(rt) << 16 | imm;
}

// jalr rd, rs: link in rd, jump to rs. rd == rs is UNPREDICTABLE.
constexpr uint32_t jalr(Reg rd, Reg rs) {
    return uint32_t(rs) << 21 | uint32_t(rd) << 11 | 0x09;
}

// jr rs, in the form that R6 has left: jalr $0, rs.
constexpr uint32_t jr(Reg rs) {
    return jalr(zero, rs);
}

// b: jumps `words` words on from the instruction behind it (beq $0, $0).
constexpr uint32_t b(int16_t words) {
    return 0x04u << 26 | uint16_t(words);
}

// bc, R6: the same, but nothing is behind it that is run first. Within 128 MiB.
constexpr uint32_t bc(int32_t words) {
    return 0x32u << 26 | (uint32_t(words) & 0x03ffffff);
}

// jrc $31, R6: returns, with nothing behind it that is run first (jic $31, 0).
inline constexpr uint32_t kCompactReturn = 0xd81f0000;

// j: to the address `target` in the 256 MiB that hold the instruction behind it.
constexpr uint32_t j(uintptr_t target) {
    return 0x02u << 26 | (uint32_t(target) >> 2 & 0x03ffffff);
}

// dsll rd, rt, by: by < 32.
constexpr uint32_t dsll(Reg rd, Reg rt, uint32_t by) {
    return uint32_t(rt) << 16 | uint32_t(rd) << 11 | by << 6 | 0x38;
}

constexpr uint32_t lw(Reg rt, int16_t offset, Reg base) {
    return 0x23u << 26 | uint32_t(base) << 21 | uint32_t(rt) << 16 | uint16_t(offset);
}

constexpr uint32_t ld(Reg rt, int16_t offset, Reg base) {
    return 0x37u << 26 | uint32_t(base) << 21 | uint32_t(rt) << 16 | uint16_t(offset);
}

// lui of 0 into any register.
constexpr bool is_lui_of_0(uint32_t word) {
    return (word & 0xffe0ffff) == lui(zero, 0);
}

// Loads a pointer of this ABI from where a register points to into the same register.
constexpr bool is_load_from_itself(uint32_t word) {
    const uint32_t load = sizeof(void*) == 8 ? ld(zero, 0, zero) : lw(zero, 0, zero);
    return (word & 0xfc00ffff) == load && (word >> 21 & 31) == (word >> 16 & 31);
}

}  // namespace mipstrace::mips
