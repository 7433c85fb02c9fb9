#include "lib/record/slot_ring.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace mipstrace::record {
namespace {

constexpr uint32_t kMe = 100;
constexpr uint32_t kOther = 200;

struct Ring : SlotRing {
    explicit Ring(uint32_t count) { EXPECT_TRUE(init(count)); }
    // All slots are handed out to `owner`.
    Ring& held_by(uint32_t owner) {
        for (uint32_t slot = 1; slot <= count(); slot++)
            hand_out(slot, owner);
        return *this;
    }
};

TEST(SlotRing, NothingIsFreeBeforeItIsGivenBack) {
    Ring ring(4);
    EXPECT_FALSE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
    ring.held_by(kMe);
    EXPECT_FALSE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
}

TEST(SlotRing, TakesWhatWasGivenBackTheLongestAgo) {
    Ring ring(4);
    ring.held_by(kMe);
    for (uint32_t slot : {3, 1, 4})
        ring.give_back(slot, kMe);
    EXPECT_TRUE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kOther), 3u);
    ring.give_back(2, kMe);
    ring.give_back(3, kOther);
    for (uint32_t slot : {1, 4, 2, 3})
        EXPECT_EQ(ring.take_oldest(kMe), slot);
    EXPECT_FALSE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
}

TEST(SlotRing, OnlyItsOwnerGivesASlotBack) {
    Ring ring(4);
    ring.held_by(kMe);
    ring.give_back(1, kOther);
    ring.give_back(SlotRing::kNone, kMe);
    EXPECT_FALSE(ring.has_free());
    ring.give_back(1, kMe);
    ring.give_back(1, kMe);  // it is nobody's any more
    EXPECT_EQ(ring.take_oldest(kOther), 1u);
    ring.give_back(1, kMe);
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
}

TEST(SlotRing, WithoutSlotsNothingComesBack) {
    SlotRing ring;
    ring.give_back(3, kMe);
    ring.give_back_others(kMe, 1, 2);
    ring.reset();
    EXPECT_FALSE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
}

TEST(SlotRing, GivesBackAllButTwo) {
    Ring ring(5);
    ring.held_by(kMe);
    ring.hand_out(4, kOther);
    ring.give_back_others(kMe, 2, SlotRing::kNone);
    for (uint32_t slot : {1, 3, 5})
        EXPECT_EQ(ring.take_oldest(kOther), slot);
    EXPECT_EQ(ring.take_oldest(kOther), SlotRing::kNone);
}

TEST(SlotRing, GivesBackWhatTheGoneHeld) {
    Ring ring(4);
    ring.held_by(kMe);
    ring.hand_out(2, kOther);
    ring.hand_out(3, SlotRing::kForever);
    ring.give_back(4, kMe);
    ring.give_back_of([](uint32_t owner) { return owner != kMe; });
    for (uint32_t slot : {4, 2})
        EXPECT_EQ(ring.take_oldest(kMe), slot);
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
}

TEST(SlotRing, StartsAnew) {
    Ring ring(4);
    ring.held_by(kMe);
    ring.give_back(1, kMe);
    ring.reset();
    EXPECT_FALSE(ring.has_free());
    EXPECT_EQ(ring.take_oldest(kMe), SlotRing::kNone);
    ring.give_back(2, kMe);
    EXPECT_FALSE(ring.has_free());
}

// Each slot has one owner at a time, and in the end all are there.
TEST(SlotRing, ManyThreads) {
    constexpr uint32_t kThreads = 8;
    constexpr uint32_t kSlots = 12;
    constexpr int kRounds = 2000;
    Ring ring(kSlots);
    ring.held_by(kMe);
    for (uint32_t slot = 1; slot <= kSlots; slot++)
        ring.give_back(slot, kMe);
    uint64_t content[kSlots + 1] = {};  // written by the owner alone
    std::atomic<int> in_vain{0};
    std::vector<std::thread> threads;
    for (uint32_t owner = 1; owner <= kThreads; owner++) {
        threads.emplace_back([&, owner] {
            for (int round = 0; round < kRounds; round++) {
                const uint32_t slot = ring.take_oldest(owner);
                if (slot == SlotRing::kNone) {
                    in_vain++;
                    continue;
                }
                const uint64_t mark = uint64_t(owner) << 32 | uint64_t(round);
                content[slot] = mark;
                std::this_thread::yield();
                EXPECT_EQ(content[slot], mark);
                ring.give_back(slot, owner);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_LT(in_vain, kRounds) << "there are more slots than threads";
    for (uint32_t i = 0; i < kSlots; i++)
        EXPECT_NE(ring.take_oldest(kMe), SlotRing::kNone);
    EXPECT_FALSE(ring.has_free());
}

}  // namespace
}  // namespace mipstrace::record
