// What was recorded of a run, against what was called.
#pragma once

#include <array>
#include <vector>

#include "tests/unit/every_instruction/scenarios.h"
#include "tests/unit/thread_events.h"

namespace mipstrace {

// Events of one run as a tree of calls; what does not fit is counted.
struct Matched {
    explicit Matched(const std::vector<CallEvent>& events);
    std::array<long, kTraced> entered{};
    long lefts = 0;
    long without_entry = 0;
    long without_end = 0;
};

void expect_whole(const Matched& matched, const Scenario& scenario);
// The call whose entry or return was interrupted may lack its event.
void expect_all_but_one(const Matched& matched);

}  // namespace mipstrace
