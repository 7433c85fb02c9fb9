// The public API: who may register, and the functions that are traced in all of these tests.
#include "tests/unit/fgraph_users.h"

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

TEST(Registration, RefusesWhatIsNoUser) {
    EXPECT_EQ(register_ftrace_graph(nullptr), -EINVAL);
    fgraph_ops ops = simple_ops();
    ops.size = 0;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops.size = sizeof ops - 8;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops.size = 1 << 20;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops = simple_ops();
    ops.flags = 1u << 31;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
    ops = simple_ops();
    ops.entryfunc = nullptr;
    EXPECT_EQ(register_ftrace_graph(&ops), -EINVAL);
}

TEST(Registration, TakesAUserOfANewerLibraryThatUsesNothingOfIt) {
    struct {
        fgraph_ops ops = simple_ops();
        uintptr_t unknown = 0;
    } newer;
    newer.ops.size = sizeof newer;
    EXPECT_EQ(register_ftrace_graph(&newer.ops), 0);
    EXPECT_EQ(unregister_ftrace_graph(&newer.ops), 0);
    newer.unknown = 1;
    EXPECT_EQ(register_ftrace_graph(&newer.ops), -E2BIG);
    EXPECT_EQ(fgraph_api_version(), unsigned(FGRAPH_API_VERSION));
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

// What a callback gets that registers or unregisters; it would wait for itself.
TEST(Registration, NotInACallback) {
    static std::vector<int> results;
    static fgraph_ops ops;
    static fgraph_ops other;
    for (unsigned flags : {0u, unsigned(FGRAPH_OPS_FL_NO_FP), unsigned(FGRAPH_OPS_FL_PLAIN),
                           unsigned(FGRAPH_OPS_FL_REGS)}) {
        results.clear();
        other = simple_ops();
        ops = simple_ops();
        ops.flags = flags;
        ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
            results.push_back(register_ftrace_graph(&other));
            results.push_back(unregister_ftrace_graph(&ops));
            return 1;
        };
        ops.retfunc = [](const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
            results.push_back(ftrace_set_filter(&ops, "", 1));
            results.push_back(ftrace_graph_pause(&ops));
        };
        ASSERT_EQ(register_ftrace_graph(&ops), 0);
        traced_add(1, 2);
        EXPECT_EQ(results, std::vector<int>(4, -EDEADLK));
        EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    }
}

// The order of users, which is the same in a dispatch list and without one (with all registers).
TEST(Registration, LowerPrioritiesAreCalledFirst) {
    static std::string order;
    for (unsigned flags : {0u, unsigned(FGRAPH_OPS_FL_REGS)}) {
        fgraph_ops all[4];
        const int16_t priorities[4] = {0, 7, -3, 0};
        for (int i = 0; i < 4; i++) {
            all[i] = simple_ops();
            all[i].flags = flags;
            all[i].priority = priorities[i];
            all[i].private_data = reinterpret_cast<void*>(intptr_t('a' + i));
            all[i].entryfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
                order += char(reinterpret_cast<intptr_t>(self->private_data));
                return 1;
            };
            all[i].retfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
                order += char(reinterpret_cast<intptr_t>(self->private_data));
            };
            ASSERT_EQ(register_ftrace_graph(&all[i]), 0);
        }
        order.clear();
        traced_add(1, 2);
        EXPECT_EQ(order, "cadbcadb");
        for (fgraph_ops& ops : all)
            EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    }
}

}  // namespace
}  // namespace mipstrace
