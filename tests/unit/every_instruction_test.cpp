// A signal arrives at each instruction of the way of a traced call in turn: of the sled, of the
// trampolines, of the core and of the recorder. Its handler makes traced calls itself, and returns
// or jumps away. No register, result, event or loss may tell that it was there.
//
// The instruction is replaced by `break`, so that the place is exact and each is met. Which ones a
// scenario runs through is found with breakpoints at all of them at once.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>

#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/every_instruction/matching.h"
#include "tests/unit/every_instruction/scenarios.h"
#include "tests/unit/every_instruction/stepping.h"
#include "tests/unit/own_trace.h"
#include "tests/unit/thread_events.h"
#include "tests/unit/traced_functions.h"

namespace mipstrace {
namespace {

// A handler's own calls may begin a chunk while a writer is interrupted: such windows are kept no
// longer than needed.
size_t mapped_bytes_of_trace() {
    const std::string path = OwnTrace::path();
    size_t bytes = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin, end;
        if (line.ends_with(path) && sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2)
            bytes += end - begin;
    }
    return bytes;
}

class EveryInstruction : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        let_nobody_park();
        traced_subtract(1, 1);  // gives the thread its block
    }

    // Instructions that a scenario shares with an earlier one are left out, unless `all`; and of
    // threads always.
    void step_through_all(Way chosen, bool all) {
        way_ = chosen;
        all_ = all;
        catch_traps(way_);
        for (const Scenario& scenario : kScenarios) {
            if ((scenario.in_thread && way_ == Way::jumps) || (scenario.only_new && all_)) continue;
            SCOPED_TRACE(scenario.name);
            for (const Wants wants : scenario.users) {
                if (scenario.user_flags < 0) break;
                present_users.push_back(
                    std::make_unique<CountingUser>(unsigned(scenario.user_flags), wants));
            }
            step_through(scenario);
            present_users.clear();
            if (HasFailure()) return;
        }
        if (!has_depth_limit()) expect_stepped();
        expect_few_mappings();
    }

    // The handler records more than what the two windows of a thread hold.
    void step_through_first(Way chosen, int chunks) {
        way_ = chosen;
        catch_traps(way_, chunks);
        step_through(kScenarios.front());
        expect_few_mappings();
    }

  private:
    static void expect_few_mappings() {
        begin_chunk();
        EXPECT_LE(mapped_bytes_of_trace(), 3 * record::kChunkSize) << "the head and two windows";
    }

    // What every call goes through has been met to the last instruction, but for what takes a
    // kernel's clock that is not the one here, or the other clock's way, or a kernel without
    // membarrier.
    void expect_stepped() {
        const bool is_mono = clock_name() == std::string_view("mono");
        size_t found = 0;
        for (const CodeRange& range : code_of({})) {
            size_t left_out;
            if (range.name == "sled" || range.name == "ftrace_mcount_caller")
                left_out = 0;
            else if (range.name == "page")
                left_out =
                    is_mono ? 8 : 4;  // without membarrier, and to where only pages of calls go
            else if (range.name == "ftrace_regs_caller")
                left_out = 12;  // that ftrace_light_caller does
            else if (range.name == "ftrace_light_caller")
                left_out = 230;  // of lists that are longer, and without membarrier
            else if (range.name == "page of calls")
                left_out = range.words - 6;  // always the general way
            else if (range.name == "record_enter_by_mono" && is_mono)
                left_out = 12;
            else if (range.name == "fgraph_enter" || range.name == "fgraph_leave")
                left_out = range.words / 4;
            else if (range.name == "return_to_handler")
                left_out = range.words * 2 / 3;
            else
                continue;
            found++;
            size_t not_met = 0;
            for (size_t i = 0; i < range.words; i++)
                not_met += !stepped_.contains(range.begin + i);
            EXPECT_LE(not_met, left_out) << range.name;
        }
        EXPECT_EQ(found, (is_mono ? 9u : 8u) + kMark);
    }

    void step_through(const Scenario& scenario) {
        std::vector<CodeWord> words = words_met(scenario);
        EXPECT_GT(words.size(), 50u);
        if (!all_ || scenario.in_thread)
            std::erase_if(words, [&](CodeWord word) { return stepped_.contains(word); });
        stepped_.insert(words.begin(), words.end());
        printf("%s: %zu instructions\n", scenario.name, words.size());
        for (CodeWord word : words) {
            const std::string place = place_of(scenario, word);
            SCOPED_TRACE(place);
            // The list of mappings, which that one reads, is not the same each time.
            step(scenario, word, place.find("find_mapping") == place.npos);
            if (HasFailure()) return;
        }
    }

    void step(const Scenario& scenario, CodeWord word, bool is_met_each_time) {
        // Where the clock's period ends before the place, another way may be taken.
        constexpr int kTries = 20;
        uint64_t period;
        bool hit;
        int tries = 0;
        do {
            period = settle();
            events_.take();
            calls = {};
            hit = run(scenario, word);
        } while (!hit && settle() != period && ++tries < kTries);
        EXPECT_TRUE(hit || !is_met_each_time) << "not met again";
        for (format::Loss cause :
             {format::Loss::no_space, format::Loss::no_memory, format::Loss::too_deep})
            EXPECT_EQ(events_.lost(cause), 0u);
    }

    bool run(const Scenario& scenario, CodeWord word) {
        const size_t depth = this_state().stack.depth();
        const uint64_t recursion = events_.lost(format::Loss::recursion);
        for (const auto& user : present_users)
            user->entries = user->returns = 0;
        const bool hit = run_with_break(scenario, word, call_after);
        EXPECT_EQ(this_state().stack.depth(), depth);
        EXPECT_EQ(count_claimed(), 0);
        const Matched matched(events_.take());
        if (way_ == Way::jumps) {
            expect_all_but_one(matched);
            return hit;
        }
        expect_whole(matched, scenario);
        const long all = std::accumulate(calls.begin(), calls.end(), 0L);
        const long lost = long(events_.lost(format::Loss::recursion) - recursion);
        for (const auto& user : present_users) {
            EXPECT_EQ(user->entries + lost, all);
            EXPECT_EQ(user->returns, user->wants == Wants::returns ? user->entries : 0);
        }
        return hit;
    }

    // Everybody sees what is called then.
    static void call_after() {
        std::vector<long> entries;
        for (const auto& user : present_users)
            entries.push_back(user->entries);
        EXPECT_EQ(other_add(1, 2), 3);
        for (size_t i = 0; i < present_users.size(); i++)
            EXPECT_EQ(present_users[i]->entries - entries[i], 1);
    }

    ThreadEvents events_;
    Way way_ = Way::returns;
    bool all_ = false;
    std::set<CodeWord> stepped_;
};

// A stack for the handlers of this thread.
struct SignalStack {
    SignalStack() { set(0); }
    ~SignalStack() { set(SS_DISABLE); }
    void set(int flags) {
        const stack_t stack{.ss_sp = bytes, .ss_size = sizeof bytes, .ss_flags = flags};
        EXPECT_EQ(sigaltstack(&stack, nullptr), 0);
    }
    char bytes[64 * 1024];
};

TEST_F(EveryInstruction, HandlerReturns) {
    step_through_all(Way::returns, false);
}

TEST_F(EveryInstruction, HandlerReturnsInEachScenario) {
    step_through_all(Way::returns, true);
}

TEST_F(EveryInstruction, HandlerOnAStackOfItsOwnReturns) {
    const auto stack = std::make_unique<SignalStack>();
    step_through_all(Way::returns, false);
}

TEST_F(EveryInstruction, HandlerOnAStackAboveReturns) {
    SignalStack stack;
    step_through_all(Way::returns, false);
}

TEST_F(EveryInstruction, HandlerJumps) {
    step_through_all(Way::jumps, false);
}

TEST_F(EveryInstruction, HandlerOnAStackOfItsOwnJumps) {
    const auto stack = std::make_unique<SignalStack>();
    step_through_all(Way::jumps, false);
}

// No handler, but another thread, for whom nothing is blocked.
TEST_F(EveryInstruction, CursorIsParked) {
    step_through_all(Way::parks, false);
}

TEST_F(EveryInstruction, HandlerFillsChunksAndReturns) {
    step_through_first(Way::returns, 3);
}

TEST_F(EveryInstruction, HandlerFillsChunksAndJumps) {
    step_through_first(Way::jumps, 3);
}

}  // namespace
}  // namespace mipstrace
