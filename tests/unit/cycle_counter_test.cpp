// Samples of the counters of several CPUs, as the choice of the clock takes them.
#include "lib/record/cycle_counter.h"

#include <gtest/gtest.h>

#include <vector>

namespace mipstrace::record {
namespace {

// 200 ticks a microsecond, from a counter that is about to wrap.
CounterSample at(uint64_t us, int64_t off_ticks = 0, uint64_t width_ns = 100) {
    return {7'000'000'000 + us * 1000, width_ns,
            uint32_t(UINT32_MAX - 100 + us * 200 + uint64_t(off_ticks))};
}

bool agree(const std::vector<CounterSample>& samples) {
    return counters_agree(samples.data(), samples.size());
}

TEST(CycleCounter, OneCounterAgrees) {
    EXPECT_TRUE(agree({}));
    EXPECT_TRUE(agree({at(0)}));
    EXPECT_TRUE(agree({at(0), at(10), at(20), at(1000)}));
    EXPECT_TRUE(agree({at(0), at(10, 200 * 5), at(20, -200 * 5), at(1000)})) << "five microseconds";
}

TEST(CycleCounter, OneThatIsElsewhereDoesNot) {
    EXPECT_FALSE(agree({at(0), at(10, 200 * 30), at(1000)}));
    EXPECT_FALSE(agree({at(0), at(10), at(20, -200 * 30), at(1000)}));
    EXPECT_FALSE(agree({at(0), at(10, 1u << 31), at(1000)}));
}

TEST(CycleCounter, WhatWasInterruptedSaysLess) {
    EXPECT_TRUE(agree({at(0), at(10, 200 * 30, 15'000), at(1000)}));
    EXPECT_FALSE(agree({at(0), at(10, 200 * 60, 15'000), at(1000)}));
}

TEST(CycleCounter, OneThatStandsStillBetweenDoesNot) {
    EXPECT_FALSE(agree({at(0), at(10), at(1000, -200 * 1000)}));
}

}  // namespace
}  // namespace mipstrace::record
