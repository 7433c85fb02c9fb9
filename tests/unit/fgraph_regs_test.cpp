// The public API: what a callback sees and may do.
#include "tests/unit/fgraph_users.h"
#include "tests/unit/register_file.h"

namespace mipstrace {
namespace {

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
    trash_registers();
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

}  // namespace
}  // namespace mipstrace
