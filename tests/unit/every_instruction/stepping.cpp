#include "tests/unit/every_instruction/stepping.h"

#include <fenv.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "lib/mips/sled.h"
#include "tests/unit/traced_functions.h"
#include "trampoline/frame_layout.h"

namespace mipstrace {

namespace {

Breakpoint* current;
Way way;
int chunks_in_handler;
sigjmp_buf interrupted;

// Breakpoints that all stand at once, to find those that are met.
std::vector<Breakpoint>* all_breakpoints;
std::vector<CodeWord>* met;

void find_met(uintptr_t pc) {
    for (uintptr_t at : {pc, pc + sizeof(uint32_t)}) {
        for (Breakpoint& breakpoint : *all_breakpoints) {
            if (reinterpret_cast<uintptr_t>(breakpoint.at()) != at || !breakpoint.is_set())
                continue;
            breakpoint.remove();
            met->push_back(breakpoint.at());
            return;
        }
    }
    abort();
}

void on_trap(int, siginfo_t*, void* context) {
    const uintptr_t pc = uintptr_t(static_cast<ucontext_t*>(context)->uc_mcontext.pc);
    if (all_breakpoints != nullptr) return find_met(pc);
    if (current == nullptr || !current->caused(pc)) abort();
    current->remove();
    if (way == Way::parks) return park_cursor();
    int fcsr;
    asm volatile("cfc1 %0, $31" : "=r"(fcsr));  // qemu-user does not restore it
    run_traced([] {
        run_traced([] { EXPECT_EQ(traced_sum(1, 1, 1, 1, 1, 1, 1, 1), 8); });
        EXPECT_EQ(traced_subtract(3, 4), -1);
    });
    EXPECT_EQ(traced_scale(0.5, 0.5), 0.25);
    for (int i = 0; i < chunks_in_handler; i++)
        begin_chunk();
    if (way == Way::jumps) siglongjmp(interrupted, 1);
    asm volatile("ctc1 %0, $31" : : "r"(fcsr));
}

bool is_on_the_way(std::string_view name) {
    for (std::string_view part :
         {"N9mipstrace6fgraph", "N9mipstrace6record", "N9mipstrace7LogLine"}) {
        if (name.find(part) != name.npos) return true;
    }
    return name.starts_with("record_") || name == "return_to_handler" ||
           name.starts_with("ftrace_") || name.starts_with("fgraph_");
}

// No handler can come there: a breakpoint would end the process. A thread gets its block, and a
// chunk, with signals blocked, and so are users told of calls that were left.
bool blocks_signals(std::string_view name, const Scenario& scenario) {
    std::vector<std::string_view> parts = {"set_up_thread",
                                           "on_thread_exit",
                                           "end_open_calls",
                                           "give_back",
                                           "5resetERNS0_11ThreadState",
                                           "close_writer",
                                           "map_block",
                                           "ShadowStack4init",
                                           "ShadowStack8has_room",
                                           "ShadowStack4copy",
                                           "ShadowStack7compact",
                                           "take_chunk",
                                           "go_on_with_sync",
                                           "give_up_windows",
                                           "release_given_up",
                                           "has_unwritten",
                                           "begin_in_file",
                                           "move_high",
                                           "9TraceFile",
                                           "8SlotRing",
                                           "fits_file_limit",
                                           "identity_of",
                                           "count_claimed",
                                           "count_taken",
                                           "innermost_taken",
                                           "7LogLine"};
    if (scenario.leaves_calls)
        parts.insert(parts.end(),
                     {"ftrace_save_", "ftrace_restore_", "drop_left_calls", "end_without_return",
                      "ShadowStack4trim", "ShadowStack8describe", "N9mipstrace6record"});
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return name.find(part) != name.npos; });
}

// Behind the code there are zeros.
CodeRange page_of(const char* name, Traced function) {
    const auto sled = reinterpret_cast<CodeWord>(kAddresses[function]);
    CodeRange page{name, reinterpret_cast<CodeWord>(uintptr_t(sled[0] & 0xffff) << 16),
                   TRAMPOLINE_PAGE_LITERALS / sizeof(uint32_t)};
    while (page.words != 0 && page.begin[page.words - 1] == 0)
        page.words--;
    return page;
}

}  // namespace

void catch_traps(Way chosen, int chunks) {
    way = chosen;
    chunks_in_handler = chunks;
    struct sigaction action {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ASSERT_EQ(sigaction(SIGTRAP, &action, nullptr), 0);
}

bool is_looking() {
    return all_breakpoints != nullptr;
}

std::vector<CodeRange> code_of(const Scenario& scenario) {
    std::vector<CodeRange> out;
    for (const CodeRange& range : symbols().functions()) {
        if (is_on_the_way(range.name) && !blocks_signals(range.name, scenario))
            out.push_back(range);
    }
    for (int i = 0; i < kMark; i++)
        out.push_back({"sled", reinterpret_cast<CodeWord>(kAddresses[i]), mips::kSledWords});
    out.push_back(page_of("page", kRun));
    out.push_back(page_of("page of calls", kCallsMcount));
    return out;
}

std::string place_of(const Scenario& scenario, CodeWord word) {
    for (const CodeRange& range : code_of(scenario)) {
        if (word >= range.begin && word < range.begin + range.words)
            return range.name + "+" + std::to_string(4 * (word - range.begin));
    }
    return "nowhere";
}

namespace {

// One run with breakpoints at all of `words`. False: the clock's period ended in it, so a sync may
// have been met, too.
bool look_once(const Scenario& scenario, std::span<const CodeWord> words,
               std::vector<CodeWord>* found) {
    std::vector<Breakpoint> breakpoints(words.begin(), words.end());
    settle();
    met = found;
    bool is_within_period = false;
    run_traced([&] {
        all_breakpoints = &breakpoints;
        for (Breakpoint& breakpoint : breakpoints)
            breakpoint.set();
        // That took a while.
        const uint64_t period = period_now();
        writer().sync = uint32_t(period);
        scenario.prepare();
        scenario.run();
        is_within_period = period_now() == period;
        for (Breakpoint& breakpoint : breakpoints)
            breakpoint.remove();
        all_breakpoints = nullptr;
    });
    return is_within_period;
}

// Where a run with so many breakpoints takes longer than a period, half of them at a time.
void look(const Scenario& scenario, std::span<const CodeWord> words, std::vector<CodeWord>* found) {
    constexpr int kTries = 4;
    const size_t before = found->size();
    for (int i = 0; i < kTries; i++) {
        if (look_once(scenario, words, found)) return;
        found->resize(before);
    }
    if (words.size() == 1) {
        ADD_FAILURE() << "this machine is too slow: a run takes longer than a second";
        return;
    }
    const size_t half = words.size() / 2;
    look(scenario, words.first(half), found);
    if (!testing::Test::HasFailure()) look(scenario, words.subspan(half), found);
}

}  // namespace

std::vector<CodeWord> words_met(const Scenario& scenario) {
    std::vector<CodeWord> words;
    for (const CodeRange& range : code_of(scenario)) {
        for (size_t i = 0; i < range.words; i++)
            words.push_back(range.begin + i);
    }
    std::vector<CodeWord> found;
    found.reserve(words.size());
    look(scenario, words, &found);
    return found;
}

bool run_with_break(const Scenario& scenario, CodeWord word, void (*after)()) {
    Breakpoint breakpoint(word);
    current = &breakpoint;
    run_traced([&] {
        scenario.prepare();
        if (way != Way::jumps || sigsetjmp(interrupted, 1) == 0) {
            breakpoint.set();
            scenario.run();
        } else {
            fesetenv(FE_DFL_ENV);
        }
        after();
    });
    const bool hit = !breakpoint.is_set();
    breakpoint.remove();
    current = nullptr;
    return hit;
}

}  // namespace mipstrace
