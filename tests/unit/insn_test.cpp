// Exact words, with the mnemonic beside each: MIPS64 Architecture For Programmers, Volume II.
#include "lib/mips/insn.h"

#include <gtest/gtest.h>

#include <vector>

namespace mipstrace::mips {
namespace {

struct Encoded {
    const char* mnemonic;
    uint32_t made;
    uint32_t wanted;
};

// insn_words.S holds the same mnemonics in the same order, for the assembler to encode.
const std::vector<Encoded> kEncoded = {
    {"nop", kNop, 0x00000000},
    {"lui   $1,0", lui(at, 0), 0x3c010000},
    {"lui   $1,0x5000", lui(at, 0x5000), 0x3c015000},
    {"lui   $12,0x7fff", lui(r12, 0x7fff), 0x3c0c7fff},
    {"lui   $31,0xffff", lui(ra, 0xffff), 0x3c1fffff},
    {"ori   $1,$0,0", ori(at, zero, 0), 0x34010000},
    {"ori   $1,$0,0x8001", ori(at, zero, 0x8001), 0x34018001},
    {"ori   $1,$0,0xffff", ori(at, zero, 0xffff), 0x3401ffff},
    {"ori   $25,$31,0x1234", ori(t9, ra, 0x1234), 0x37f91234},
    {"jalr  $25,$1", jalr(t9, at), 0x0020c809},
    {"jalr  $31,$25", jalr(ra, t9), 0x0320f809},
    {"jalr  $0,$14", jr(r14), 0x01c00009},
    {"jalr  $0,$31", jr(ra), 0x03e00009},
    {"b     .+4+4*12", b(12), 0x1000000c},
    {"b     .+4-4*3", b(-3), 0x1000fffd},
    {"dsll  $1,$1,16", dsll(at, at, 16), 0x00010c38},
    {"dsll  $25,$31,31", dsll(t9, ra, 31), 0x001fcff8},
    {"lw    $14,64($12)", lw(r14, 64, r12), 0x8d8e0040},
    {"lw    $31,-4($25)", lw(ra, -4, t9), 0x8f3ffffc},
    {"lw    $1,-32768($0)", lw(at, -32768, zero), 0x8c018000},
    {"ld    $14,64($12)", ld(r14, 64, r12), 0xdd8e0040},
    {"ld    $13,80($12)", ld(r13, 80, r12), 0xdd8d0050},
    {"ld    $31,-8($25)", ld(ra, -8, t9), 0xdf3ffff8},
    {"ld    $1,32760($14)", ld(at, 32760, r14), 0xddc17ff8},
};

TEST(Insn, EncodesExactWords) {
    for (const Encoded& e : kEncoded)
        EXPECT_EQ(e.made, e.wanted) << e.mnemonic << " " << std::hex << e.made;
}

// Which the assembler would have to place in the same 256 MiB.
TEST(Insn, AJumpNamesTheLowBitsOfItsTarget) {
    EXPECT_EQ(j(0x50), 0x08000014u);
    EXPECT_EQ(j(0x0ffffffc), 0x0bffffffu);
    EXPECT_EQ(j(uintptr_t(0x3fff0000) + 0x50), j(0x0fff0050));
}

TEST(Insn, LoadsOfAPointerThroughItself) {
    auto load = sizeof(void*) == 8 ? ld : lw;
    EXPECT_TRUE(is_load_from_itself(load(r13, 0, r13)));
    EXPECT_FALSE(is_load_from_itself(load(r13, 8, r13))) << "it has its offset";
    EXPECT_FALSE(is_load_from_itself(load(r13, 0, r14)));
    EXPECT_FALSE(is_load_from_itself(lui(r13, 0)));
}

TEST(Insn, LuiOfZero) {
    EXPECT_TRUE(is_lui_of_0(lui(r12, 0)));
    EXPECT_FALSE(is_lui_of_0(lui(r12, 1)));
    EXPECT_FALSE(is_lui_of_0(ori(r12, zero, 0)));
}

// bc . + 4 + 4 * 5 and bc . - 4, which the assembler knows for R6 alone.
TEST(Insn, ACompactBranchCountsWordsFromTheOneBehind) {
    EXPECT_EQ(bc(5), 0xc8000005u);
    EXPECT_EQ(bc(-2), 0xcbfffffeu);
}

#ifdef __mips__
extern "C" const uint32_t insn_words[];
extern "C" const uint32_t insn_words_end[];

TEST(Insn, AgreesWithTheAssembler) {
    ASSERT_EQ(size_t(insn_words_end - insn_words), kEncoded.size());
    for (size_t i = 0; i < kEncoded.size(); i++)
        EXPECT_EQ(kEncoded[i].made, insn_words[i]) << kEncoded[i].mnemonic;
}
#endif

}  // namespace
}  // namespace mipstrace::mips
