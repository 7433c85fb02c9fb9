// The public API: what a callback sees and may do.
#include <string.h>

#include <cmath>

#include "tests/unit/fgraph_users.h"
#include "tests/unit/register_file.h"
#include "trampoline/frame_layout.h"

namespace mipstrace {
namespace {

// Registers.
TEST(Regs, ArgumentsAndReturnValue) {
    for (unsigned flags : {0u, FGRAPH_OPS_FL_REGS, FGRAPH_OPS_FL_PLAIN}) {
        static unsigned long arguments[8];
        static unsigned long value;
        fgraph_ops ops = simple_ops();
        ops.flags = flags;
        ops.filter = "traced_sum";
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            for (unsigned i = 0; i < 8; i++)
                arguments[i] = ftrace_regs_get_argument(regs, i);
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            value = ftrace_regs_get_return_value(regs);
        };
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
        EXPECT_EQ(traced_sum(-1, 20, 300, 4000, 50000, 600000, 7000000, 80000000), 87654319);
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
        const long wanted[8] = {-1, 20, 300, 4000, 50000, 600000, 7000000, 80000000};
        for (int i = 0; i < 8; i++)
            EXPECT_EQ(long(arguments[i]), wanted[i]) << i;
        EXPECT_EQ(value, 87654319u);
    }
}

// On o32 arguments count in words, in which the registers end earlier and doubles are aligned.
constexpr bool kIsO32 = FRAME_REG == 4;

// The body takes fewer arguments than the call passes, and of other types.
TEST(Regs, ArgumentsOfAllKindsInRegistersAndOnTheStack) {
    using Mixed = long(float, double, long, long, long, long, long, long, long, double, float);
    static float first, small;
    static double second, real;
    static long third, integer;
    fgraph_ops ops = simple_ops();
    ops.filter = "traced_sum";
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
        first = ftrace_regs_get_float_argument(regs, 0);
        second = ftrace_regs_get_double_argument(regs, kIsO32 ? 2 : 1);
        third = long(ftrace_regs_get_argument(regs, kIsO32 ? 4 : 2));
        integer = long(ftrace_regs_get_argument(regs, kIsO32 ? 10 : 8));
        real = ftrace_regs_get_double_argument(regs, kIsO32 ? 12 : 9);
        small = ftrace_regs_get_float_argument(regs, kIsO32 ? 14 : 10);
        return 0;
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    const auto mixed = reinterpret_cast<Mixed*>(address(&traced_sum));
    mixed(-2.5f, 1e100, -3, 0, 0, 0, 0, 0, -9, 0.1, 1.5f);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(first, -2.5f);
    if (kIsO32)
        EXPECT_TRUE(std::isnan(second));  // documented: it can't be told
    else
        EXPECT_EQ(second, 1e100);
    EXPECT_EQ(third, -3);
    EXPECT_EQ(integer, -9);
    EXPECT_EQ(real, 0.1);
    EXPECT_EQ(small, 1.5f);
}

TEST(Regs, FloatingPointArgumentsAndReturnValue) {
    for (unsigned flags : {0u, FGRAPH_OPS_FL_REGS}) {
        static double a, b, result;
        fgraph_ops ops = simple_ops();
        ops.flags = flags;
        ops.filter = "traced_scale";
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            a = ftrace_regs_get_double_argument(regs, 0);
            b = ftrace_regs_get_double_argument(regs, kIsO32 ? 2 : 1);
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
            result = ftrace_regs_get_double_return_value(regs);
            ftrace_regs_set_double_return_value(regs, result + 0.5);
        };
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
        EXPECT_EQ(traced_scale(1.25, -4), -4.5);
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
        EXPECT_EQ(a, 1.25);
        if (kIsO32)
            EXPECT_TRUE(std::isnan(b));
        else
            EXPECT_EQ(b, -4);
        EXPECT_EQ(result, -5);
    }
}

// The body returns a double, whose low half is a float in the same register.
TEST(Regs, AFloatThatIsReturned) {
    using Scale = float(double, double);
    static float seen;
    fgraph_ops ops = simple_ops();
    ops.filter = "traced_scale";
    ops.entryfunc = nullptr;  // every return
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
        seen = ftrace_regs_get_float_return_value(regs);
        ftrace_regs_set_float_return_value(regs, -seen);
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    const uint64_t stored = 0x3ff00000'3fc00000;  // of 1.5f in the low half
    double holder;
    memcpy(&holder, &stored, sizeof holder);
    const auto scale = reinterpret_cast<Scale*>(address(&traced_scale));
    EXPECT_EQ(scale(holder, 1), -1.5f);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(seen, 1.5f);
}

TEST(Regs, TheReturnAddressIsTheProgramsOwn) {
    static uintptr_t at_entry, at_return, inside;
    fgraph_ops ops = simple_ops();
    ops.filter = "traced_run";
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
        at_entry = ftrace_regs_get_return_address(regs);
        return 1;
    };
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
        at_return = ftrace_regs_get_return_address(regs);
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    traced_run([](void* argument) { *static_cast<uintptr_t*>(argument) = 1; }, &inside);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(at_entry, at_return);
    EXPECT_NE(at_entry, 0u);
    // Any other address is what it is.
    EXPECT_EQ(ftrace_graph_ret_addr(1234, 0), 1234u);
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
