// Sleds that get a page of their own and give it back, on pages that stand for a module's text.
#include "lib/direct/direct_sled.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "lib/mips/cpload.h"
#include "tests/unit/text_pages.h"

namespace mipstrace::direct {
namespace {

using patch::DirectPage;
using patch::kCode;
using patch::kJalr;
using patch::kLui;
using patch::kOri;
using patch::Text;

constexpr uint32_t kOwnPage = 0x50120000;
constexpr uint32_t kOwnLui = 0x3c015012;  // lui  $1,0x5012

DirectPage own_page(const patch::Site& site) {
    return {site.offset, kOwnPage, nullptr};
}

TEST(DirectSled, OfAFunctionThatNobodyWants) {
    Text text(0x10000, {0, 64});
    patch::make_ready(text.module());
    DirectPage own = own_page(text.site(1));
    ASSERT_TRUE(lead_to_page(text.module(), text.site(1), own));
    text.expect_sled(0, kLui, 0, kOri);
    text.expect_sled(64, kOwnLui, kJalr, kOri);
    lead_back(text.module(), text.site(1), own);
    text.expect_sled(64, kLui, 0, kOri);
    EXPECT_FALSE(text.site(1).is_direct);
    EXPECT_EQ(text.module().direct_pages, nullptr);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(DirectSled, OfAFunctionThatIsTraced) {
    Text text(0x10000, {0, 64});
    patch::make_ready(text.module());
    patch::set_all(text.module(), 5);
    DirectPage own = own_page(text.site(0));
    ASSERT_TRUE(lead_to_page(text.module(), text.site(0), own));
    text.expect_sled(0, kOwnLui, kJalr, kOri | 5);
    text.expect_sled(64, kLui, kJalr, kOri | 5);
    lead_back(text.module(), text.site(0), own);
    text.expect_sled(0, kLui, kJalr, kOri | 5);
}

TEST(DirectSled, UsersComeAndGoMeanwhile) {
    Text text(0x10000, {0});
    patch::make_ready(text.module());
    DirectPage own = own_page(text.site(0));
    ASSERT_TRUE(lead_to_page(text.module(), text.site(0), own));
    patch::set_all(text.module(), 0x8001);
    text.expect_sled(0, kOwnLui, kJalr, kOri | 0x8001);
    patch::set_all(text.module(), 0);
    text.expect_sled(0, kOwnLui, kJalr, kOri);
    patch::set_all(text.module(), 2);
    lead_back(text.module(), text.site(0), own);
    text.expect_sled(0, kLui, kJalr, kOri | 2);
    patch::set_all(text.module(), 0);
    text.expect_sled(0, kLui, 0, kOri);
}

TEST(DirectSled, SeveralGoInAnyOrder) {
    Text text(0x10000, {0, 32, 64});
    patch::make_ready(text.module());
    std::vector<DirectPage> own;
    for (size_t i = 0; i < 3; i++)
        own.push_back({text.site(i).offset, kOwnPage + 0x10000 * uint32_t(i), nullptr});
    for (size_t i = 0; i < 3; i++)
        ASSERT_TRUE(lead_to_page(text.module(), text.site(i), own[i]));
    patch::set_all(text.module(), 1);
    for (uint32_t i = 0; i < 3; i++)
        text.expect_sled(32 * i, kOwnLui + i, kJalr, kOri | 1);
    for (size_t i : {1, 0, 2})
        lead_back(text.module(), text.site(i), own[i]);
    for (uint32_t i = 0; i < 3; i++)
        text.expect_sled(32 * i, kLui, kJalr, kOri | 1);
    EXPECT_EQ(text.module().direct_pages, nullptr);
}

TEST(DirectSled, ASledThatSomebodyOverwroteIsLeftAlone) {
    Text text(0x10000, {0, 32});
    patch::make_ready(text.module());
    DirectPage first = own_page(text.site(0)), second = own_page(text.site(1));
    ASSERT_TRUE(lead_to_page(text.module(), text.site(1), second));
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(text.start()), 0x10000, PROT_READ | PROT_WRITE), 0);
    text.module().words(text.site(0))[2] = kCode;
    text.module().words(text.site(1))[0] = kCode;
    EXPECT_FALSE(lead_to_page(text.module(), text.site(0), first));
    lead_back(text.module(), text.site(1), second);
    text.expect_sled(0, kLui, 0, kCode);
    text.expect_sled(32, kCode, kJalr, kOri);
    EXPECT_FALSE(text.site(0).is_direct);
    EXPECT_TRUE(text.site(1).is_direct);
}

// Each word is that of a state; the switch is on only between a page and users that it takes.
TEST(DirectSled, OtherThreadsSeeWordsOfItsStates) {
    constexpr uint32_t kLooks = 2000;
    Text text(0x10000, {0});
    patch::make_ready(text.module());
    DirectPage own = own_page(text.site(0));
    std::atomic<bool> looking = true;
    std::thread reader([&] {
        const uint32_t* words = reinterpret_cast<uint32_t*>(text.start());
        for (uint32_t look = 0; look < kLooks; look++) {
            const uint32_t first = __atomic_load_n(words, __ATOMIC_RELAXED);
            EXPECT_TRUE(first == kLui || first == kOwnLui) << first;
            const uint32_t middle = __atomic_load_n(words + 1, __ATOMIC_RELAXED);
            EXPECT_TRUE(middle == mips::kNop || middle == kJalr) << middle;
            EXPECT_EQ(__atomic_load_n(words + 2, __ATOMIC_RELAXED) & 0xffff0000, kOri);
        }
        looking = false;
    });
    for (uint16_t users = 0; looking; users = uint16_t((users + 1) % 4)) {
        patch::set_all(text.module(), users);
        ASSERT_TRUE(lead_to_page(text.module(), text.site(0), own));
        lead_back(text.module(), text.site(0), own);
    }
    reader.join();
}

TEST(Cpload, IsThreeWordsThatSetGp) {
    // lui $28,3; addiu $28,$28,-28672; addu $28,$28,$25
    EXPECT_TRUE(mips::is_cpload(0x3c1c0003, 0x279c9000, 0x0399e021));
    EXPECT_EQ(mips::gp_of_cpload(0x3c1c0003, 0x279c9000, 0x00400640), 0x00429640u);
    EXPECT_FALSE(mips::is_cpload(0x3c010003, 0x279c9000, 0x0399e021));
    EXPECT_FALSE(mips::is_cpload(0x3c1c0003, 0x279d9000, 0x0399e021));
    EXPECT_FALSE(mips::is_cpload(0x3c1c0003, 0x279c9000, 0x0399e023));
}

}  // namespace
}  // namespace mipstrace::direct
