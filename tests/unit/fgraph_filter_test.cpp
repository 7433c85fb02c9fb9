// The public API: which functions a user gets.
#include "tests/unit/fgraph_users.h"

namespace mipstrace {
namespace {

// Filters that change while the user is registered; functions that are off reach it no more.
TEST(Filter, ChangesWhileRegistered) {
    static int adds, subtracts;
    adds = subtracts = 0;
    fgraph_ops ops = simple_ops();
    ops.filter = "traced_add";
    ops.entryfunc = [](const ftrace_graph_call* call, fgraph_ops*, ftrace_regs*) {
        (call->func == address(&traced_add) ? adds : subtracts)++;
        return 0;
    };
    EXPECT_EQ(ftrace_set_filter(&ops, "x", 1), -ENOENT);
    EXPECT_EQ(ftrace_graph_pause(&ops), -ENOENT);
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    auto call_both = [] {
        traced_add(1, 2);
        traced_subtract(1, 2);
    };
    call_both();  // add
    char text[64];
    snprintf(text, sizeof text, "0x%lx", static_cast<unsigned long>(address(&traced_subtract)));
    EXPECT_EQ(ftrace_set_filter(&ops, text, 0), 0);
    text[0] = '\0';  // it was copied
    call_both();     // both
    EXPECT_EQ(ftrace_set_notrace(&ops, "traced_a*", 1), 0);
    call_both();  // subtract
    EXPECT_EQ(ftrace_graph_pause(&ops), 0);
    EXPECT_EQ(ftrace_set_notrace(&ops, "", 1), 0);
    call_both();  // none
    EXPECT_EQ(ftrace_graph_resume(&ops), 0);
    call_both();  // both
    EXPECT_EQ(ftrace_set_filter(&ops, nullptr, 1), -EINVAL);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(adds, 3);
    EXPECT_EQ(subtracts, 3);
    ops.flags = FGRAPH_OPS_FL_PAUSED;
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    call_both();
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(adds, 3);
}

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

}  // namespace
}  // namespace mipstrace
