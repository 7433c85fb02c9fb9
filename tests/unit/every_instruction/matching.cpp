#include "tests/unit/every_instruction/matching.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "tests/unit/own_trace.h"

namespace mipstrace {

namespace {

std::array<uint32_t, kTraced> find_positions() {
    const OwnTrace trace;
    std::array<uint32_t, kTraced> positions;
    for (int i = 0; i < kTraced; i++)
        positions[i] = trace.position_of(kAddresses[i]);
    return positions;
}

}  // namespace

Matched::Matched(const std::vector<CallEvent>& events) {
    static const std::array<uint32_t, kTraced> positions = find_positions();
    std::vector<uint32_t> open;
    for (const CallEvent& event : events) {
        if (event.what == CallEvent::enter) {
            const auto* known = std::find(positions.begin(), positions.end(), event.position);
            if (known != positions.end()) entered[known - positions.begin()]++;
            open.push_back(event.position);
            continue;
        }
        lefts += event.what == CallEvent::left;
        const auto call = std::find(open.rbegin(), open.rend(), event.position);
        if (call == open.rend()) {
            without_entry++;
            continue;
        }
        without_end += call - open.rbegin();
        open.erase(call.base() - 1, open.end());
    }
    without_end += long(open.size());
}

void expect_whole(const Matched& matched, const Scenario& scenario) {
    EXPECT_EQ(matched.entered, calls);
    EXPECT_EQ(matched.without_entry, 0);
    EXPECT_EQ(matched.without_end, 0);
    if (!scenario.leaves_calls) {
        EXPECT_EQ(matched.lefts, 0);
    }
}

void expect_all_but_one(const Matched& matched) {
    long differing = 0;
    for (int i = 0; i < kTraced; i++)
        differing += std::abs(matched.entered[i] - calls[i]);
    EXPECT_LE(differing, 1);
    EXPECT_LE(matched.without_entry, 1);
    EXPECT_LE(matched.without_end, 1);
}

}  // namespace mipstrace
