// The public API: which calls and returns a user gets.
#include "tests/unit/fgraph_users.h"

namespace mipstrace {
namespace {

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
                         testing::Values(0, FGRAPH_OPS_FL_REGS, FGRAPH_OPS_FL_NO_FP,
                                         FGRAPH_OPS_FL_PLAIN,
                                         FGRAPH_OPS_FL_REGS | FGRAPH_OPS_FL_PLAIN),
                         [](const testing::TestParamInfo<unsigned>& sort) {
                             std::string name =
                                 (sort.param & FGRAPH_OPS_FL_PLAIN) != 0 ? "Plain" : "Guarded";
                             if ((sort.param & FGRAPH_OPS_FL_REGS) != 0) name += "AllRegisters";
                             if ((sort.param & FGRAPH_OPS_FL_NO_FP) != 0) name += "NoFp";
                             return name;
                         });

}  // namespace
}  // namespace mipstrace
