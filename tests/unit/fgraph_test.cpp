// The public API, in a process whose own functions are traced; the recorder is one of the users.
#include <errno.h>
#include <gtest/gtest.h>
#include <mipstrace/fgraph.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/own_trace.h"
#include "tests/unit/traced_functions.h"

extern "C" {
long add_body(long a, long b) {
    return a + b;
}
long subtract_body(long a, long b) {
    return a - b;
}
long sum_body(long a, long b, long c, long d, long e, long f, long g, long h) {
    return a + b + c + d + e + f + g + h;
}
void run_body(void (*function)(void*), void* argument) {
    function(argument);
    asm volatile("");  // no tail call
}
double double_body(double (*function)(void*), void* argument) {
    return function(argument) + 0;
}
double scale_body(double a, double b) {
    return a * b;
}
long area_body(int side) {
    return long(side) * side;
}
}

namespace mipstrace {
namespace {

template <typename F>
uintptr_t address(F* function) {
    return reinterpret_cast<uintptr_t>(function);
}

// Calls `f` from a traced function.
template <typename F>
void run_traced(F&& f) {
    traced_run([](void* context) { (*static_cast<std::remove_reference_t<F>*>(context))(); }, &f);
}

// Calls `f` far below on the stack, so that calls in it lie below those that follow it.
template <typename F>
__attribute__((noinline)) void run_deeper(F&& f) {
    volatile char space[16384];
    space[0] = 1;
    f();
    space[1] = space[0];
}

struct Seen {
    ftrace_graph_call call;
    uintptr_t sp;
};

// A user that notes what it is called for.
class User {
  public:
    struct Options {
        unsigned flags = 0;
        const char* filter = "traced_*;shape::*";
        const char* notrace = nullptr;
        int answer = 1;
        bool entry = true;
        bool leave = true;
    };
    User() : User(Options{}) {}
    explicit User(const Options& options) : answer_(options.answer) {
        ops_.size = sizeof ops_;
        ops_.flags = options.flags;
        ops_.filter = options.filter;
        ops_.notrace = options.notrace;
        ops_.private_data = this;
        if (options.entry) ops_.entryfunc = on_entry;
        if (options.leave) ops_.retfunc = on_return;
        ops_.leftfunc = on_left;
        EXPECT_EQ(start(), 0);
    }
    ~User() {
        if (registered_) stop();
    }
    User(const User&) = delete;
    User& operator=(const User&) = delete;

    int start() {
        const int result = register_ftrace_graph(&ops_);
        registered_ |= result == 0;
        return result;
    }
    void stop() {
        EXPECT_EQ(unregister_ftrace_graph(&ops_), 0);
        registered_ = false;
    }
    unsigned slot() const { return ops_.slot; }

    // Of one thread only.
    std::vector<Seen> entries, returns, lefts;

    std::set<uintptr_t> functions() const {
        std::set<uintptr_t> set;
        for (const Seen& seen : entries)
            set.insert(seen.call.func);
        return set;
    }

  private:
    static User& self(fgraph_ops* ops) { return *static_cast<User*>(ops->private_data); }
    static int on_entry(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
        self(ops).entries.push_back({*call, ftrace_regs_get_stack_pointer(regs)});
        return self(ops).answer_;
    }
    static void on_return(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
        self(ops).returns.push_back({*call, ftrace_regs_get_stack_pointer(regs)});
    }
    static void on_left(const ftrace_graph_call* call, fgraph_ops* ops) {
        self(ops).lefts.push_back({*call, 0});
    }

    fgraph_ops ops_{};
    int answer_;
    bool registered_ = false;
};

int count_nothing(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
    return 0;
}

fgraph_ops simple_ops() {
    fgraph_ops ops{};
    ops.size = sizeof ops;
    ops.entryfunc = count_nothing;
    ops.filter = "traced_*";
    return ops;
}

TEST(Registration, RefusesWhatIsNoUser) {
    EXPECT_EQ(register_ftrace_graph(nullptr), -EINVAL);
    fgraph_ops ops = simple_ops();
    ops.size = 0;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops.size = sizeof ops + 8;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops = simple_ops();
    ops.entryfunc = nullptr;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
}

TEST(Registration, OnceOnly) {
    fgraph_ops ops = simple_ops();
    EXPECT_EQ(register_ftrace_graph(&ops), 0);
    EXPECT_EQ(register_ftrace_graph(&ops), -EBUSY);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(unregister_ftrace_graph(&ops), -ENOENT);
    EXPECT_EQ(register_ftrace_graph(&ops), 0);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
}

TEST(Registration, UnregistersOnlyWhoIsRegistered) {
    EXPECT_EQ(unregister_ftrace_graph(nullptr), -ENOENT);
    fgraph_ops ops = simple_ops();
    for (unsigned slot : {0u, 5u, 15u, 16u, 0xffffu}) {
        ops.slot = uint16_t(slot);
        EXPECT_EQ(unregister_ftrace_graph(&ops), -ENOENT);
    }
}

TEST(Registration, SixteenUsersFit) {
    fgraph_ops all[FGRAPH_MAX_USERS];
    std::set<unsigned> slots;
    int registered = 0;
    int result = 0;
    for (fgraph_ops& ops : all) {
        ops = simple_ops();
        result = register_ftrace_graph(&ops);
        if (result != 0) break;
        slots.insert(ops.slot);
        registered++;
    }
    EXPECT_EQ(registered, FGRAPH_MAX_USERS - 1) << "the recorder is the first";
    EXPECT_EQ(slots.size(), size_t(registered));
    EXPECT_EQ(result, -ENOSPC);
    EXPECT_EQ(register_ftrace_graph(&all[3]), -EBUSY) << "rather than -ENOSPC";
    // A place becomes free and is taken again.
    const unsigned slot = all[7].slot;
    EXPECT_EQ(unregister_ftrace_graph(&all[7]), 0);
    EXPECT_EQ(register_ftrace_graph(&all[registered]), 0);
    EXPECT_EQ(all[registered].slot, slot);
    EXPECT_EQ(unregister_ftrace_graph(&all[registered]), 0);
    for (int i = 0; i < registered; i++) {
        if (i == 7) continue;
        EXPECT_EQ(unregister_ftrace_graph(&all[i]), 0);
    }
}

// With each sort of user.
class Calls : public testing::TestWithParam<unsigned> {
  protected:
    User::Options options() const {
        User::Options options;
        options.flags = GetParam();
        return options;
    }
};

TEST_P(Calls, EntryAndReturn) {
    User user(options());
    EXPECT_EQ(traced_add(2, 3), 5);
    ASSERT_EQ(user.entries.size(), 1u);
    ASSERT_EQ(user.returns.size(), 1u);
    EXPECT_EQ(user.entries[0].call.func, address(traced_add));
    EXPECT_EQ(user.returns[0].call.func, address(traced_add));
    EXPECT_EQ(user.entries[0].call.position, user.returns[0].call.position);
    EXPECT_EQ(user.entries[0].sp, user.returns[0].sp);
    EXPECT_EQ(user.entries[0].call.depth, user.returns[0].call.depth);
    EXPECT_EQ(user.lefts.size(), 0u);
}

TEST_P(Calls, PositionsNameFunctions) {
    User user(options());
    traced_add(1, 2);
    traced_subtract(1, 2);
    traced_add(1, 2);
    ASSERT_EQ(user.entries.size(), 3u);
    EXPECT_EQ(user.entries[0].call.position, user.entries[2].call.position);
    EXPECT_NE(user.entries[0].call.position, user.entries[1].call.position);
    const OwnTrace trace;
    for (const Seen& seen : user.entries) {
        EXPECT_EQ(seen.call.position % 4, 0u);
        EXPECT_EQ(seen.call.position, trace.position_of(seen.call.func));
    }
}

TEST_P(Calls, DepthGrowsWithEachOpenCall) {
    User user(options());
    run_traced([] { run_traced([] { traced_add(1, 2); }); });
    ASSERT_EQ(user.entries.size(), 3u);
    ASSERT_EQ(user.returns.size(), 3u);
    const int depth = user.entries[0].call.depth;
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(user.entries[size_t(i)].call.depth, depth + i);
        EXPECT_EQ(user.returns[size_t(i)].call.depth, depth + 2 - i);
        EXPECT_EQ(user.returns[size_t(i)].call.func, user.entries[size_t(2 - i)].call.func);
        EXPECT_EQ(user.returns[size_t(i)].sp, user.entries[size_t(2 - i)].sp);
    }
}

TEST_P(Calls, ADeclinedCallHasNoReturn) {
    User::Options declines = options();
    declines.answer = 0;
    User user(declines);
    User other(options());
    EXPECT_EQ(traced_add(2, 3), 5);
    EXPECT_EQ(user.entries.size(), 1u);
    EXPECT_EQ(user.returns.size(), 0u);
    EXPECT_EQ(other.returns.size(), 1u);
}

TEST_P(Calls, AnyAnswerButZeroAsksForTheReturn) {
    User::Options odd = options();
    odd.answer = -2;
    User user(odd);
    traced_add(2, 3);
    EXPECT_EQ(user.returns.size(), 1u);
}

TEST_P(Calls, WithoutAReturnFunction) {
    User::Options entries = options();
    entries.leave = false;
    User user(entries);
    EXPECT_EQ(traced_add(2, 3), 5);
    EXPECT_EQ(user.entries.size(), 1u);
    EXPECT_EQ(user.returns.size(), 0u);
}

TEST_P(Calls, WithoutAnEntryFunction) {
    User::Options returns = options();
    returns.entry = false;
    User user(returns);
    EXPECT_EQ(traced_add(2, 3), 5);
    ASSERT_EQ(user.returns.size(), 1u);
    EXPECT_EQ(user.returns[0].call.func, address(traced_add));
}

TEST_P(Calls, LeftByLongjmp) {
    User user(options());
    jmp_buf back;
    if (setjmp(back) == 0) {
        run_deeper([&] { run_traced([&] { run_traced([&] { longjmp(back, 1); }); }); });
    }
    EXPECT_EQ(user.entries.size(), 2u);
    traced_add(1, 2);  // notices
    ASSERT_EQ(user.lefts.size(), 2u);
    EXPECT_EQ(user.lefts[0].call.func, address(traced_run));
    EXPECT_EQ(user.lefts[0].call.depth, user.lefts[1].call.depth + 1) << "the innermost first";
    ASSERT_EQ(user.returns.size(), 1u);
    EXPECT_EQ(user.returns[0].call.func, address(traced_add));
    traced_add(1, 2);
    EXPECT_EQ(user.lefts.size(), 2u) << "once only";
}

TEST_P(Calls, LeftByLongjmpInsideACallThatReturns) {
    User user(options());
    run_traced([&] {
        jmp_buf back;
        if (setjmp(back) == 0) {
            run_deeper([&] { run_traced([&] { longjmp(back, 1); }); });
        }
    });
    ASSERT_EQ(user.entries.size(), 2u);
    ASSERT_EQ(user.lefts.size(), 1u);
    ASSERT_EQ(user.returns.size(), 1u);
    EXPECT_EQ(user.returns[0].sp, user.entries[0].sp);
}

TEST_P(Calls, ThroughSeveralStacks) {
    User user(options());
    static ucontext_t main_context, coroutines[2];
    static int steps;
    steps = 0;
    static std::vector<char> stacks[2];
    auto body = [](int which) {
        for (int i = 0; i < 5; i++) {
            run_traced([&] {
                steps++;
                // Back and forth, with a call of each open.
                swapcontext(&coroutines[which], which == 0 ? &coroutines[1] : &main_context);
                EXPECT_EQ(traced_add(i, which), i + which);
            });
        }
    };
    for (int which = 0; which < 2; which++) {
        stacks[which].resize(256 * 1024);
        getcontext(&coroutines[which]);
        coroutines[which].uc_stack.ss_sp = stacks[which].data();
        coroutines[which].uc_stack.ss_size = stacks[which].size();
        coroutines[which].uc_link = &main_context;
        makecontext(&coroutines[which], reinterpret_cast<void (*)()>(+body), 1, which);
    }
    for (int i = 0; i < 5; i++)
        run_traced([&] { swapcontext(&main_context, &coroutines[0]); });
    // Both are inside their last call.
    swapcontext(&main_context, &coroutines[0]);
    swapcontext(&main_context, &coroutines[1]);
    EXPECT_EQ(steps, 10);
    EXPECT_EQ(user.entries.size(), 5u + 10u + 10u);
    EXPECT_EQ(user.returns.size(), user.entries.size());
    EXPECT_EQ(user.lefts.size(), 0u);
}

sigjmp_buf out_of_handler;

TEST_P(Calls, InsideASignalHandlerOnAStackOfItsOwn) {
    User user(options());
    static char stack[128 * 1024];
    stack_t own{};  // its fields have another order on MIPS
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    stack_t old;
    ASSERT_EQ(sigaltstack(&own, &old), 0);
    struct sigaction action {};
    action.sa_handler = [](int) { EXPECT_EQ(traced_add(20, 3), 23); };
    action.sa_flags = SA_ONSTACK;
    struct sigaction saved;
    sigaction(SIGUSR1, &action, &saved);
    run_traced([] {
        raise(SIGUSR1);
        EXPECT_EQ(traced_add(1, 2), 3);
    });
    EXPECT_EQ(user.entries.size(), 3u);
    EXPECT_EQ(user.returns.size(), 3u);
    // And one that doesn't come back.
    action.sa_handler = [](int) { run_traced([] { siglongjmp(out_of_handler, 1); }); };
    sigaction(SIGUSR1, &action, nullptr);
    for (int i = 0; i < 3; i++) {
        run_traced([] {
            if (sigsetjmp(out_of_handler, 1) == 0) raise(SIGUSR1);
            EXPECT_EQ(traced_add(1, 2), 3);
        });
    }
    EXPECT_EQ(user.entries.size(), 3u + 9u);
    EXPECT_EQ(user.returns.size(), 3u + 6u);
    sigaction(SIGUSR1, &saved, nullptr);
    sigaltstack(&old, nullptr);
}

TEST_P(Calls, OfOtherUsersGoOn) {
    User first(options());
    auto second = std::make_unique<User>(options());
    traced_add(1, 2);
    second.reset();
    traced_add(1, 2);
    EXPECT_EQ(first.entries.size(), 2u);
    EXPECT_EQ(first.returns.size(), 2u);
}

TEST_P(Calls, ANewcomerInTheSameSlotGetsNoReturnOfItsPredecessor) {
    User old(options());
    std::unique_ptr<User> newcomer;
    run_traced([&] {
        old.stop();
        newcomer = std::make_unique<User>(options());
        traced_add(1, 2);
    });
    EXPECT_EQ(newcomer->slot(), old.slot());
    EXPECT_EQ(old.entries.size(), 1u);
    EXPECT_EQ(old.returns.size(), 0u);
    ASSERT_EQ(newcomer->entries.size(), 1u);
    ASSERT_EQ(newcomer->returns.size(), 1u);
    EXPECT_EQ(newcomer->returns[0].call.func, address(traced_add));
}

TEST_P(Calls, WhoRegistersAgainGetsNoReturnOfItsEarlierSelf) {
    User user(options());
    run_traced([&] {
        user.stop();
        EXPECT_EQ(user.start(), 0);
    });
    EXPECT_EQ(user.entries.size(), 1u);
    EXPECT_EQ(user.returns.size(), 0u);
    traced_add(1, 2);
    EXPECT_EQ(user.returns.size(), 1u);
}

TEST_P(Calls, ANewcomerHearsOfNoCallThatWasLeftBeforeIt) {
    User old(options());
    jmp_buf back;
    if (setjmp(back) == 0) {
        run_deeper([&] { run_traced([&] { longjmp(back, 1); }); });
    }
    old.stop();
    User newcomer(options());
    traced_add(1, 2);
    EXPECT_EQ(old.lefts.size(), 0u);
    EXPECT_EQ(newcomer.lefts.size(), 0u);
    EXPECT_EQ(newcomer.returns.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Flags, Calls,
                         testing::Values(0, FGRAPH_OPS_FL_REGS, FGRAPH_OPS_FL_PLAIN,
                                         FGRAPH_OPS_FL_REGS | FGRAPH_OPS_FL_PLAIN),
                         [](const testing::TestParamInfo<unsigned>& sort) {
                             return std::string((sort.param & FGRAPH_OPS_FL_PLAIN) != 0
                                                    ? "Plain"
                                                    : "Guarded") +
                                    ((sort.param & FGRAPH_OPS_FL_REGS) != 0 ? "AllRegisters" : "");
                         });

// Filters.
const std::set<uintptr_t> kTraced = {address(traced_add),    address(traced_subtract),
                                     address(traced_sum),    address(traced_run),
                                     address(traced_double), address(traced_scale)};
const uintptr_t kArea = address(shape::area);
const uintptr_t kOther = address(other_add);

std::set<uintptr_t> called_with(const char* filter, const char* notrace) {
    User::Options options;
    options.filter = filter;
    options.notrace = notrace;
    User user(options);
    EXPECT_EQ(traced_add(1, 2), 3);
    EXPECT_EQ(traced_subtract(1, 2), -1);
    EXPECT_EQ(traced_sum(1, 2, 3, 4, 5, 6, 7, 8), 36);
    run_traced([] {});
    EXPECT_EQ(traced_double([](void*) { return 1.5; }, nullptr), 1.5);
    EXPECT_EQ(traced_scale(2, 3), 6);
    EXPECT_EQ(other_add(1, 2), 3);
    EXPECT_EQ(shape::area(3), 9);
    EXPECT_EQ(user.returns.size(), user.entries.size());
    return user.functions();
}

std::set<uintptr_t> with(std::set<uintptr_t> set, std::initializer_list<uintptr_t> more) {
    set.insert(more.begin(), more.end());
    return set;
}
std::set<uintptr_t> without(std::set<uintptr_t> set, uintptr_t function) {
    set.erase(function);
    return set;
}

using Functions = std::set<uintptr_t>;

TEST(Filter, NoneMeansEveryFunction) {
    EXPECT_EQ(called_with(nullptr, nullptr), with(kTraced, {kArea, kOther}));
    EXPECT_EQ(called_with("", ""), with(kTraced, {kArea, kOther}));
}

TEST(Filter, Names) {
    EXPECT_EQ(called_with("traced_add", nullptr), Functions{address(traced_add)});
    EXPECT_EQ(called_with("traced_add;other_add", nullptr),
              (Functions{address(traced_add), kOther}));
    EXPECT_EQ(called_with("add", nullptr), Functions{});
    EXPECT_EQ(called_with("traced_*", nullptr), kTraced);
    EXPECT_EQ(called_with("*_add", nullptr), (Functions{address(traced_add), kOther}));
    EXPECT_EQ(called_with("traced_[dr]*", nullptr),
              (Functions{address(traced_run), address(traced_double)}));
}

TEST(Filter, DemangledNames) {
    for (const char* filter : {"shape::area", "shape::area(int)", "shape::*", "_ZN5shape4areaEi"})
        EXPECT_EQ(called_with(filter, nullptr), Functions{kArea}) << filter;
    EXPECT_EQ(called_with("shape::area(long)", nullptr), Functions{});
}

TEST(Filter, Modules) {
    EXPECT_EQ(called_with("@fgraph_test", nullptr), with(kTraced, {kArea, kOther}));
    EXPECT_EQ(called_with("traced_*@fgraph_*", nullptr), kTraced);
    EXPECT_EQ(called_with("@libc.so*", nullptr), Functions{});
    EXPECT_EQ(called_with("traced_add@libc.so*", nullptr), Functions{});
}

TEST(Filter, Notrace) {
    EXPECT_EQ(called_with(nullptr, "traced_*"), (Functions{kArea, kOther}));
    EXPECT_EQ(called_with("traced_*", "traced_add"), without(kTraced, address(traced_add)));
    EXPECT_EQ(called_with("traced_add", "*"), Functions{});
    EXPECT_EQ(called_with(nullptr, "@fgraph_test"), Functions{});
}

TEST(Filter, IsEachUsersOwn) {
    User::Options adds;
    adds.filter = "*_add";
    User::Options rest;
    rest.notrace = "*_add";
    User first(adds);
    User second(rest);
    traced_add(1, 2);
    traced_subtract(1, 2);
    EXPECT_EQ(first.functions(), Functions{address(traced_add)});
    EXPECT_EQ(second.functions(), Functions{address(traced_subtract)});
}

// Registers.
TEST(Regs, ArgumentsAndReturnValue) {
    for (unsigned flags : {0u, FGRAPH_OPS_FL_REGS, FGRAPH_OPS_FL_PLAIN}) {
        static unsigned long arguments[10];
        static unsigned long value;
        fgraph_ops ops = simple_ops();
        ops.flags = flags;
        ops.filter = "traced_sum";
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            for (unsigned i = 0; i < 10; i++)
                arguments[i] = ftrace_regs_get_argument(regs, i);
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            value = ftrace_regs_get_return_value(regs);
        };
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
        EXPECT_EQ(traced_sum(-1, 20, 300, 4000, 50000, 600000, 7000000, 80000000), 87654319);
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
        const long wanted[10] = {-1, 20, 300, 4000, 50000, 600000, 7000000, 80000000, 0, 0};
        for (int i = 0; i < 10; i++)
            EXPECT_EQ(long(arguments[i]), wanted[i]) << i;
        EXPECT_EQ(value, 87654319u);
    }
}

TEST(Regs, AUserCanReplaceTheReturnValue) {
    fgraph_ops ops = simple_ops();
    ops.filter = "traced_add";
    ops.entryfunc = nullptr;
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
        ftrace_regs_set_return_value(regs, ftrace_regs_get_return_value(regs) + 1000);
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    EXPECT_EQ(traced_add(2, 3), 1005);
    EXPECT_EQ(traced_subtract(2, 3), -1);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(traced_add(2, 3), 5);
}

TEST(Regs, TheStackPointerIsTheCallers) {
    User user;
    char here;
    traced_add(1, 2);
    ASSERT_EQ(user.entries.size(), 1u);
    EXPECT_LT(user.entries[0].sp, reinterpret_cast<uintptr_t>(&here) + 4096);
    EXPECT_GT(user.entries[0].sp, reinterpret_cast<uintptr_t>(&here) - 4096);
    EXPECT_EQ(user.entries[0].sp % 16, 0u);
}

// Callbacks may use floating point, also for calls that are left in between.
double trash_fp(double x) {
    asm volatile(
        "dmtc1 $0,$f0; dmtc1 $0,$f1; dmtc1 $0,$f2; dmtc1 $0,$f3; dmtc1 $0,$f12; dmtc1 $0,$f13;"
        "dmtc1 $0,$f14; dmtc1 $0,$f15; mthi $0; mtlo $0"
        :
        :
        : "$f0", "$f1", "$f2", "$f3", "$f12", "$f13", "$f14", "$f15", "hi", "lo");
    return x;
}

TEST(Regs, ALeftFunctionMayUseFloatingPoint) {
    static int left;
    left = 0;
    fgraph_ops ops = simple_ops();
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) { return 1; };
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) { trash_fp(1); };
    ops.leftfunc = [](const ftrace_graph_call*, fgraph_ops*) {
        left++;
        trash_fp(1);
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    auto leave_one_below = [](void*) {
        jmp_buf back;
        if (setjmp(back) == 0) {
            run_deeper([&] { run_traced([&] { longjmp(back, 1); }); });
        }
        return 2.5;
    };
    // Noticed at the return of traced_double.
    EXPECT_EQ(traced_double(leave_one_below, nullptr), 2.5);
    EXPECT_EQ(left, 1);
    // Noticed at the entry of a function with a floating-point argument.
    EXPECT_EQ(leave_one_below(nullptr), 2.5);
    EXPECT_EQ(traced_scale(2.5, 3), 7.5);
    EXPECT_EQ(left, 2);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
}

// A callback's own traced calls don't come back to it.
TEST(Recursion, IsCountedAndGoesBy) {
    static int entries;
    static int returns;
    entries = returns = 0;
    fgraph_ops ops = simple_ops();
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
        entries++;
        EXPECT_EQ(traced_add(1, 2), 3);
        return 1;
    };
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
        returns++;
        EXPECT_EQ(traced_subtract(1, 2), -1);
        EXPECT_EQ(traced_subtract(1, 2), -1);
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    const uint64_t lost = OwnTrace().lost(format::Loss::recursion);
    for (int i = 0; i < 10; i++)
        EXPECT_EQ(traced_sum(1, 1, 1, 1, 1, 1, 1, 1), 8);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(entries, 10);
    EXPECT_EQ(returns, 10);
    EXPECT_EQ(OwnTrace().lost(format::Loss::recursion), lost + 30);
}

TEST(Recursion, OfOneUserKeepsAnotherOut) {
    static int other_entries;
    other_entries = 0;
    fgraph_ops caller = simple_ops();
    caller.filter = "traced_add";
    caller.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
        return int(traced_subtract(1, 2));
    };
    fgraph_ops other = simple_ops();
    other.filter = "traced_subtract";
    other.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
        return ++other_entries;
    };
    ASSERT_EQ(register_ftrace_graph(&caller), 0);
    ASSERT_EQ(register_ftrace_graph(&other), 0);
    traced_add(1, 2);
    EXPECT_EQ(other_entries, 0);
    traced_subtract(1, 2);
    EXPECT_EQ(other_entries, 1);
    EXPECT_EQ(unregister_ftrace_graph(&caller), 0);
    EXPECT_EQ(unregister_ftrace_graph(&other), 0);
}

// Threads.
template <typename F>
void in_threads(int count, F&& f) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back(f);
    for (std::thread& thread : threads)
        thread.join();
}

struct Counter {
    std::atomic<int> entries{0};
    std::atomic<int> returns{0};
};

fgraph_ops counting_ops(Counter& counter, unsigned flags, const char* filter) {
    fgraph_ops ops = simple_ops();
    ops.flags = flags;
    ops.filter = filter;
    ops.private_data = &counter;
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
        static_cast<Counter*>(self->private_data)->entries++;
        return 1;
    };
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
        static_cast<Counter*>(self->private_data)->returns++;
    };
    return ops;
}

TEST(Threads, EveryCallOfEveryThreadIsCounted) {
    constexpr int kThreads = 8;
    constexpr int kCalls = 3000;
    Counter counters[3];
    fgraph_ops users[3] = {
        counting_ops(counters[0], 0, "traced_*"),
        counting_ops(counters[1], FGRAPH_OPS_FL_PLAIN, "traced_add"),
        counting_ops(counters[2], FGRAPH_OPS_FL_REGS, "traced_subtract"),
    };
    for (fgraph_ops& ops : users)
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
    const OwnTrace before;
    in_threads(kThreads, [] {
        for (int i = 0; i < kCalls; i++) {
            EXPECT_EQ(traced_add(i, 1), i + 1);
            EXPECT_EQ(traced_subtract(i, 1), i - 1);
        }
    });
    for (fgraph_ops& ops : users)
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(counters[0].entries, 2 * kThreads * kCalls);
    EXPECT_EQ(counters[0].returns, 2 * kThreads * kCalls);
    EXPECT_EQ(counters[1].entries, kThreads * kCalls);
    EXPECT_EQ(counters[1].returns, kThreads * kCalls);
    EXPECT_EQ(counters[2].entries, kThreads * kCalls);
    EXPECT_EQ(counters[2].returns, kThreads * kCalls);
    // And the recorder has written each.
    const OwnTrace after;
    for (uintptr_t function : {address(traced_add), address(traced_subtract)}) {
        const uint32_t position = after.position_of(function);
        for (uint32_t kind : {0u, 1u})
            EXPECT_EQ(after.count(position | kind) - before.count(position | kind),
                      size_t(kThreads * kCalls));
    }
    for (format::Loss cause :
         {format::Loss::no_space, format::Loss::no_memory, format::Loss::too_deep})
        EXPECT_EQ(after.lost(cause), before.lost(cause));
}

TEST(Threads, NobodyIsInsideAUserThatHasLeft) {
    struct Watched {
        std::atomic<int> inside{0};
        std::atomic<int> calls{0};
        std::atomic<bool> gone{false};
        std::atomic<int> late{0};
    };
    constexpr int kRounds = 50;
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&] {
            while (!stop)
                EXPECT_EQ(traced_add(1, 2), 3);
        });
    }
    auto watch = [](fgraph_ops* ops) {
        auto& watched = *static_cast<Watched*>(ops->private_data);
        watched.inside++;
        watched.calls++;
        if (watched.gone) watched.late++;
        watched.inside--;
    };
    static void (*const watch_call)(fgraph_ops*) = watch;
    for (int round = 0; round < kRounds; round++) {
        // Not on the stack: a late call shall be seen, not crash.
        static Watched all[kRounds];
        static fgraph_ops all_ops[kRounds];
        Watched& watched = all[round];
        fgraph_ops& ops = all_ops[round] = simple_ops();
        ops.private_data = &watched;
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
            watch_call(self);
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
            watch_call(self);
        };
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
        while (watched.calls < 20)
            std::this_thread::yield();
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
        EXPECT_EQ(watched.inside, 0);
        watched.gone = true;
        if (round % 10 == 0) usleep(1000);
        EXPECT_EQ(watched.late, 0);
    }
    stop = true;
    for (std::thread& thread : threads)
        thread.join();
}

// Frames beyond the limit of a thread (MIPSTRACE_MAX_STACK).
void recurse(int levels) {
    if (levels > 0) run_traced([&] { recurse(levels - 1); });
}

TEST(Depth, CallsBeyondTheLimitAreCountedAndReturn) {
    const char* limit = getenv("MIPSTRACE_MAX_STACK");
    if (limit == nullptr) GTEST_SKIP() << "needs a low MIPSTRACE_MAX_STACK";
    const size_t frames = size_t(atoi(limit));
    User user;
    const uint64_t lost = OwnTrace().lost(format::Loss::too_deep);
    recurse(int(frames) + 36);
    EXPECT_EQ(user.entries.size(), frames);
    EXPECT_EQ(user.returns.size(), frames);
    EXPECT_EQ(OwnTrace().lost(format::Loss::too_deep), lost + 36);
    traced_add(1, 2);
    EXPECT_EQ(user.returns.size(), frames + 1);
}

}  // namespace
}  // namespace mipstrace
