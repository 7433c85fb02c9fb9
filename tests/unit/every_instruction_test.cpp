// A signal arrives at each instruction of the way of a traced call in turn: of the sled, of the
// trampolines, of the core and of the recorder. Its handler makes traced calls itself, and returns
// or jumps away. No register, result, event or loss may tell that it was there.
//
// The instruction is replaced by `break`, so that the place is exact and each is met. Which ones a
// scenario runs through is found with breakpoints at all of them at once.
#include <fenv.h>
#include <mipstrace/fgraph.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lib/mips/sled.h"
#include "lib/record/event_writer.h"
#include "tests/unit/breakpoints.h"
#include "tests/unit/register_checks.h"
#include "tests/unit/thread_events.h"
#include "tests/unit/traced_functions.h"
#include "trampoline/frame_layout.h"

namespace mipstrace {
namespace {

// ---- the traced functions and how often they were called

enum Traced {
    kRun,
    kSum,
    kSubtract,
    kScale,
    kDump,
    kDumpByTailCall,
    kCallsMcount,
    kCallsMcountAsLeaf,
    kMark,
    kTraced
};

const std::array<uintptr_t, kTraced> kAddresses = {
    reinterpret_cast<uintptr_t>(&traced_run),
    reinterpret_cast<uintptr_t>(&traced_sum),
    reinterpret_cast<uintptr_t>(&traced_subtract),
    reinterpret_cast<uintptr_t>(&traced_scale),
    reinterpret_cast<uintptr_t>(&dump_registers),
    reinterpret_cast<uintptr_t>(&dump_registers_by_tail_call),
    reinterpret_cast<uintptr_t>(dump_registers_calling_mcount_site),
    reinterpret_cast<uintptr_t>(dump_registers_calling_mcount_as_leaf_site),
    reinterpret_cast<uintptr_t>(&other_add),
};

std::array<long, kTraced> calls;

}  // namespace
}  // namespace mipstrace

using mipstrace::calls;

extern "C" {
long add_body(long a, long b) {
    calls[mipstrace::kMark]++;
    return a + b;
}
long subtract_body(long a, long b) {
    calls[mipstrace::kSubtract]++;
    return a - b;
}
long sum_body(long a, long b, long c, long d, long e, long f, long g, long h) {
    calls[mipstrace::kSum]++;
    return a + b + c + d + e + f + g + h;
}
void run_body(void (*function)(void*), void* argument) {
    calls[mipstrace::kRun]++;
    function(argument);
    asm volatile("");  // no tail call
}
double double_body(double (*function)(void*), void* argument) {
    return function(argument) + 0;
}
double scale_body(double a, double b) {
    calls[mipstrace::kScale]++;
    return a * b;
}
long area_body(int side) {
    return long(side) * side;
}
}

namespace mipstrace {
namespace {

// ---- the state of the main thread in the runtime

const RuntimeSymbols& symbols() {
    static const RuntimeSymbols symbols;
    return symbols;
}

// The only thread that has a block now.
fgraph::ThreadState& this_state() {
    auto* block = *reinterpret_cast<fgraph::ThreadState**>(symbols().object("fgraph_all_blocks"));
    while (!block->taken)
        block = block->next_block;
    return *block;
}
long count_claimed() {
    const fgraph::ShadowStack& stack = this_state().stack;
    return std::count_if(stack.base + 1, stack.top,
                         [](const fgraph::Frame& frame) { return fgraph::is_claimed(frame); });
}
record::EventWriter& writer() {
    return record::writer_of(this_state());
}

// Leaves `units` units in the chunk.
void fill_chunk(uint32_t units) {
    const uint32_t used = writer().cursor & record::kChunkMask;
    ASSERT_NE(used, 0u);
    const uint32_t filler = (record::kChunkSize - used) / 8 - units;
    auto* event = reinterpret_cast<format::Event*>(writer().cursor);
    event->word = format::record_word(format::RecordType(0x7fff), filler);
    writer().cursor += 8 * filler;
}
// It is looked for again.
void forget_stack_bounds() {
    this_state().bounds = {};
}
void make_sync_due() {
    writer().sync ^= 1;
}

// More than what a run with all its handlers writes.
constexpr uint32_t kEnoughUnits = 2000;

// Room in the chunk, and no sync before the clock's next period, whose number is returned.
uint64_t settle() {
    if (record::kChunkSize - (writer().cursor & record::kChunkMask) < 8 * kEnoughUnits)
        fill_chunk(0);
    traced_subtract(1, 1);
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec)) >> 30;
}

const char* clock_name() {
    const char* set = getenv("MIPSTRACE_CLOCK");
    return set != nullptr && std::string_view(set).starts_with("cycles") ? "cycles" : "mono";
}

// ---- a user

struct CountingUser {
    explicit CountingUser(unsigned flags) {
        ops.size = sizeof ops;
        ops.flags = flags;
        ops.private_data = this;
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
            static_cast<CountingUser*>(self->private_data)->entries++;
            trash(self);
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
            static_cast<CountingUser*>(self->private_data)->returns++;
            trash(self);
        };
        ops.leftfunc = [](const ftrace_graph_call*, fgraph_ops* self) {
            static_cast<CountingUser*>(self->private_data)->returns++;
            trash(self);
        };
        EXPECT_EQ(register_ftrace_graph(&ops), 0);
    }
    ~CountingUser() { EXPECT_EQ(unregister_ftrace_graph(&ops), 0); }
    static void trash(fgraph_ops* self) {
        if ((self->flags & FGRAPH_OPS_FL_PLAIN) == 0) trash_registers();
    }
    fgraph_ops ops{};
    long entries = 0;
    long returns = 0;  // and calls that were left
};

std::unique_ptr<CountingUser> user;

Users kind_of_users() {
    if (user == nullptr || (user->ops.flags & FGRAPH_OPS_FL_PLAIN) != 0) return Users::plain;
    return (user->ops.flags & FGRAPH_OPS_FL_REGS) != 0 ? Users::full : Users::guarded;
}

// ---- what is interrupted

void call_functions() {
    calls[kDump]++;
    call_and_compare(dump_registers, kind_of_users());
    calls[kDumpByTailCall]++;
    call_and_compare(dump_registers_by_tail_call, kind_of_users());
    calls[kDump]++;
    run_traced([] {
        EXPECT_EQ(traced_sum(1, 2, 3, 4, 5, 6, 7, 8), 36);
        EXPECT_EQ(traced_scale(1.5, 4), 6);
        EXPECT_EQ(traced_subtract(9, 4), 5);
    });
}

void call_what_calls_mcount() {
    calls[kCallsMcount]++;
    call_and_compare(dump_registers_calling_mcount, kind_of_users());
    calls[kCallsMcountAsLeaf]++;
    call_and_compare(dump_registers_calling_mcount_as_leaf, kind_of_users());
}

void call_with_sync_at_return() {
    run_traced([] { make_sync_due(); });
}

void leave_calls() {
    static jmp_buf start;
    auto go_back = [] { longjmp(start, 1); };
    run_traced([&] {
        if (setjmp(start) == 0) run_traced([&] { run_traced(go_back); });
        EXPECT_EQ(traced_sum(1, 2, 3, 4, 5, 6, 7, 8), 36);  // notices that they were left
    });
    run_traced([&] {
        if (setjmp(start) == 0) run_traced(go_back);
    });
}

void call_in_new_thread();

struct Scenario {
    const char* name;
    void (*prepare)();
    void (*run)();
    int user_flags = -1;  // of the user that is registered beside the recorder; none
    bool leaves_calls = false;
    bool in_thread = false;  // where it checks its calls itself, and can't jump
};

void nothing() {}

const Scenario kScenarios[] = {
    {"the recorder alone", nothing, call_functions},
    {"a user", nothing, call_functions, 0},
    {"a plain user", nothing, call_functions, FGRAPH_OPS_FL_PLAIN},
    {"a user of all registers", nothing, call_functions, FGRAPH_OPS_FL_REGS},
    {"calls of _mcount", nothing, call_what_calls_mcount},
    {"calls of _mcount, a user", nothing, call_what_calls_mcount, 0},
    {"calls of _mcount, a user of all registers", nothing, call_what_calls_mcount,
     FGRAPH_OPS_FL_REGS},
    {"calls are left", forget_stack_bounds, leave_calls, -1, true},
    {"calls are left, a user", forget_stack_bounds, leave_calls, 0, true},
    {"the chunk is full at an entry", [] { fill_chunk(0); }, call_functions},
    {"the chunk is full at a return", [] { fill_chunk(1); }, call_functions},
    {"a sync is due at an entry", make_sync_due, call_functions},
    {"a sync is due at a return", nothing, call_with_sync_at_return},
    {"the first call of a thread", nothing, call_in_new_thread, -1, false, true},
};

// ---- the signal

enum class Way { returns, jumps };

Breakpoint* current;
Way way;
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
    int fcsr;
    asm volatile("cfc1 %0, $31" : "=r"(fcsr));  // qemu-user does not restore it
    run_traced([] {
        run_traced([] { EXPECT_EQ(traced_sum(1, 1, 1, 1, 1, 1, 1, 1), 8); });
        EXPECT_EQ(traced_subtract(3, 4), -1);
    });
    EXPECT_EQ(traced_scale(0.5, 0.5), 0.25);
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
                                           "ShadowStack7compact",
                                           "take_chunk",
                                           "begin_in_file",
                                           "move_high",
                                           "9TraceFile",
                                           "8SlotRing",
                                           "fits_file_limit",
                                           "count_claimed",
                                           "count_taken",
                                           "innermost_taken",
                                           "7LogLine"};
    if (scenario.leaves_calls)
        parts.insert(parts.end(), {"drop_left_calls", "end_without_return", "ShadowStack4trim",
                                   "ShadowStack8describe", "N9mipstrace6record"});
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return name.find(part) != name.npos; });
}

// ---- what is checked

// Events of one run as a tree of calls; what does not fit is counted.
struct Matched {
    std::array<long, kTraced> entered{};
    long lefts = 0;
    long without_entry = 0;
    long without_end = 0;

    explicit Matched(const std::vector<CallEvent>& events) {
        const OwnTrace& trace = own_trace();
        std::array<uint32_t, kTraced> positions;
        for (int i = 0; i < kTraced; i++)
            positions[i] = trace.position_of(kAddresses[i]);
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

    static const OwnTrace& own_trace() {
        static const OwnTrace trace;
        return trace;
    }
};

void expect_whole(const Matched& matched, const Scenario& scenario) {
    EXPECT_EQ(matched.entered, calls);
    EXPECT_EQ(matched.without_entry, 0);
    EXPECT_EQ(matched.without_end, 0);
    if (!scenario.leaves_calls) {
        EXPECT_EQ(matched.lefts, 0);
    }
}

void call_in_new_thread() {
    const auto calls_before = calls;
    std::thread([] {
        calls = {};
        ThreadEvents events{ThreadEvents::NewThread()};
        call_functions();
        if (all_breakpoints == nullptr) expect_whole(Matched(events.take()), {});
    }).join();
    calls = calls_before;
}

// The call whose entry or return was interrupted may lack its event.
void expect_all_but_one(const Matched& matched) {
    long differing = 0;
    for (int i = 0; i < kTraced; i++)
        differing += std::abs(matched.entered[i] - calls[i]);
    EXPECT_LE(differing, 1);
    EXPECT_LE(matched.without_entry, 1);
    EXPECT_LE(matched.without_end, 1);
}

class EveryInstruction : public testing::Test {
  protected:
    static void SetUpTestSuite() { traced_subtract(1, 1); }  // gives the thread its block

    // Instructions that a scenario shares with an earlier one are left out, unless `all`; and of
    // threads always.
    void step_through_all(Way chosen, bool all) {
        way = chosen;
        all_ = all;
        struct sigaction action {};
        action.sa_sigaction = on_trap;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ASSERT_EQ(sigaction(SIGTRAP, &action, nullptr), 0);
        for (const Scenario& scenario : kScenarios) {
            if (scenario.in_thread && way == Way::jumps) continue;
            SCOPED_TRACE(scenario.name);
            if (scenario.user_flags >= 0)
                user = std::make_unique<CountingUser>(unsigned(scenario.user_flags));
            step_through(scenario);
            user.reset();
            if (HasFailure()) return;
        }
        expect_stepped();
    }

  private:
    // What every call goes through has been met to the last instruction, but for what takes a
    // kernel's clock that is not the one here, or the other clock's way.
    void expect_stepped() {
        const bool is_mono = clock_name() == std::string_view("mono");
        size_t found = 0;
        for (const CodeRange& range : code({})) {
            size_t left_out;
            if (range.name == "sled" || range.name == "page" ||
                range.name == "ftrace_regs_caller" || range.name == "ftrace_mcount_caller")
                left_out = 0;
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
        EXPECT_EQ(found, (is_mono ? 8u : 7u) + kMark);
    }

    void step_through(const Scenario& scenario) {
        std::vector<CodeWord> words = words_met(scenario);
        EXPECT_GT(words.size(), 50u);
        if (!all_ || scenario.in_thread)
            std::erase_if(words, [&](CodeWord word) { return stepped_.contains(word); });
        stepped_.insert(words.begin(), words.end());
        printf("%s: %zu instructions\n", scenario.name, words.size());
        for (CodeWord word : words) {
            SCOPED_TRACE(place_of(scenario, word));
            step(scenario, word);
            if (HasFailure()) return;
        }
    }

    // Code that may be interrupted: of the sleds, the pages, the trampolines, the core, the
    // recorder.
    static std::vector<CodeRange> code(const Scenario& scenario) {
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

    // Behind the code there are zeros.
    static CodeRange page_of(const char* name, Traced function) {
        const auto sled = reinterpret_cast<CodeWord>(kAddresses[function]);
        CodeRange page{name, reinterpret_cast<CodeWord>(uintptr_t(sled[0] & 0xffff) << 16),
                       TRAMPOLINE_PAGE_LITERALS / sizeof(uint32_t)};
        while (page.words != 0 && page.begin[page.words - 1] == 0)
            page.words--;
        return page;
    }

    static std::string place_of(const Scenario& scenario, CodeWord word) {
        for (const CodeRange& range : code(scenario)) {
            if (word >= range.begin && word < range.begin + range.words)
                return range.name + "+" + std::to_string(4 * (word - range.begin));
        }
        return "nowhere";
    }

    std::vector<CodeWord> words_met(const Scenario& scenario) {
        std::vector<Breakpoint> breakpoints;
        for (const CodeRange& range : code(scenario)) {
            for (size_t i = 0; i < range.words; i++)
                breakpoints.emplace_back(range.begin + i);
        }
        std::vector<CodeWord> words;
        uint64_t period;
        do {
            period = settle();
            words.clear();
            words.reserve(breakpoints.size());
            met = &words;
            run_traced([&] {
                scenario.prepare();
                all_breakpoints = &breakpoints;
                for (Breakpoint& breakpoint : breakpoints)
                    breakpoint.set();
                scenario.run();
                for (Breakpoint& breakpoint : breakpoints)
                    breakpoint.remove();
                all_breakpoints = nullptr;
            });
        } while (settle() != period);
        return words;
    }

    void step(const Scenario& scenario, CodeWord word) {
        Breakpoint breakpoint(word);
        uint64_t period;
        bool hit;
        do {
            period = settle();
            events_.take();
            calls = {};
            current = &breakpoint;
            run(scenario, breakpoint);
            hit = !breakpoint.is_set();
            breakpoint.remove();
            current = nullptr;
        } while (!hit && settle() != period);
        EXPECT_TRUE(hit) << "not met again";
        for (format::Loss cause :
             {format::Loss::no_space, format::Loss::no_memory, format::Loss::too_deep})
            EXPECT_EQ(events_.lost(cause), 0u);
    }

    void run(const Scenario& scenario, Breakpoint& breakpoint) {
        const size_t depth = this_state().stack.depth();
        const uint64_t recursion = events_.lost(format::Loss::recursion);
        const long entries = user != nullptr ? user->entries : 0;
        const long returns = user != nullptr ? user->returns : 0;
        run_traced([&] {
            scenario.prepare();
            if (way == Way::returns || sigsetjmp(interrupted, 1) == 0) {
                breakpoint.set();
                scenario.run();
            } else {
                fesetenv(FE_DFL_ENV);
            }
            call_after();
        });
        EXPECT_EQ(this_state().stack.depth(), depth);
        EXPECT_EQ(count_claimed(), 0);
        const Matched matched(events_.take());
        if (way == Way::jumps) return expect_all_but_one(matched);
        expect_whole(matched, scenario);
        if (user == nullptr) return;
        const long all = std::accumulate(calls.begin(), calls.end(), 0L);
        const long lost = long(events_.lost(format::Loss::recursion) - recursion);
        EXPECT_EQ(user->entries - entries + lost, all);
        EXPECT_EQ(user->returns - returns, user->entries - entries);
    }

    // Everybody sees what is called then.
    static void call_after() {
        const long entries = user != nullptr ? user->entries : 0;
        EXPECT_EQ(other_add(1, 2), 3);
        if (user != nullptr) {
            EXPECT_EQ(user->entries - entries, 1);
        }
    }

    ThreadEvents events_;
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

}  // namespace
}  // namespace mipstrace
