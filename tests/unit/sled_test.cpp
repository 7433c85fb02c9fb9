#include "lib/mips/sled.h"

#include <gtest/gtest.h>

namespace mipstrace::mips {
namespace {

constexpr uint32_t kPage = 0x50000000;
constexpr uint32_t kOther = 0x12345678;  // some instruction of the program

constexpr uint32_t kLui = 0x3c015000;   // lui  $1,0x5000
constexpr uint32_t kJalr = 0x0020c809;  // jalr $25,$1
constexpr uint32_t kOri = 0x34010000;   // ori  $1,$0,0

SledWords match(uint32_t a, uint32_t b, uint32_t c, uint32_t page = kPage) {
    return match_sled(Sled{{a, b, c}}, page);
}

TEST(Sled, WordsAreExact) {
    EXPECT_EQ(sled_page_word(kPage), kLui);
    EXPECT_EQ(sled_page_word(0x7fff0000), 0x3c017fffu);
    EXPECT_EQ(sled_switch_word(false), 0u);
    EXPECT_EQ(sled_switch_word(true), kJalr);
    EXPECT_EQ(sled_users_word(0), kOri);
    EXPECT_EQ(sled_users_word(0xffff), 0x3401ffffu);
}

TEST(Sled, ThreeNopsAreUntouched) {
    EXPECT_EQ(match(0, 0, 0), SledWords::untouched);
    EXPECT_EQ(match(0, 0, 0, 0), SledWords::untouched);
}

TEST(Sled, FewerThanThreeNopsAreTooShort) {
    EXPECT_EQ(match(0, 0, kOther), SledWords::too_short);
    EXPECT_EQ(match(0, kOther, kOther), SledWords::too_short);
    EXPECT_EQ(match(0, kOther, 0), SledWords::too_short);
    EXPECT_EQ(match(0, kJalr, kOri), SledWords::too_short);
}

TEST(Sled, EveryUsersValueIsReadyOffOrOn) {
    for (uint32_t users = 0; users <= 0xffff; users++) {
        const uint32_t word = sled_users_word(uint16_t(users));
        ASSERT_EQ(word, kOri | users);
        ASSERT_EQ(match(kLui, 0, word), SledWords::ready_off) << users;
        ASSERT_EQ(match(kLui, kJalr, word), SledWords::ready_on) << users;
    }
}

TEST(Sled, EveryPageMatchesItselfAndNoOther) {
    for (uint32_t page = 0x10000; page < 0x80000000; page += 0x10000) {
        const uint32_t word = sled_page_word(page);
        ASSERT_EQ(match(word, kJalr, kOri, page), SledWords::ready_on);
        ASSERT_EQ(match(word, kJalr, kOri, page ^ 0x10000), SledWords::unexpected);
        ASSERT_EQ(match(word, 0, kOri, page ^ 0x40000000), SledWords::unexpected);
    }
}

TEST(Sled, OtherWordsAreUnexpected) {
    EXPECT_EQ(match(kOther, 0, 0), SledWords::unexpected);
    EXPECT_EQ(match(kOther, kOther, kOther), SledWords::unexpected);
    EXPECT_EQ(match(kLui, 0, 0), SledWords::unexpected);
    EXPECT_EQ(match(kLui, kOther, kOri), SledWords::unexpected);
    EXPECT_EQ(match(kLui, kJalr, kOther), SledWords::unexpected);
    EXPECT_EQ(match(kLui, kJalr, 0x34020001), SledWords::unexpected);  // ori  $2,$0,1
    EXPECT_EQ(match(kLui, kJalr, 0x34210001), SledWords::unexpected);  // ori  $1,$1,1
    EXPECT_EQ(match(kLui, 0x0020f809, kOri), SledWords::unexpected);   // jalr $31,$1
    EXPECT_EQ(match(0x3c025000, kJalr, kOri), SledWords::unexpected);  // lui  $2,0x5000
}

TEST(Sled, EachWrongBitIsSeen) {
    const uint32_t good[3] = {kLui, kJalr, kOri | 5};
    for (int w = 0; w < kSledWords; w++) {
        for (int bit = 0; bit < 32; bit++) {
            Sled sled{{good[0], good[1], good[2]}};
            sled.w[w] ^= 1u << bit;
            const bool only_users = w == kUsersWord && bit < 16;
            ASSERT_EQ(match_sled(sled, kPage),
                      only_users ? SledWords::ready_on : SledWords::unexpected)
                << "word " << w << " bit " << bit;
        }
    }
}

TEST(Sled, ReadsThreeWordsFromText) {
    const volatile uint32_t text[] = {kOther, kLui, kJalr, kOri | 3, kOther};
    const Sled sled = read_sled(text + 1);
    EXPECT_EQ(sled.w[0], kLui);
    EXPECT_EQ(sled.w[1], kJalr);
    EXPECT_EQ(sled.w[2], kOri | 3);
}

}  // namespace
}  // namespace mipstrace::mips
