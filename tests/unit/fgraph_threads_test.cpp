// The public API: many threads, and the limit of a thread's frames.
#include "tests/unit/breakpoints.h"
#include "tests/unit/fgraph_users.h"

namespace mipstrace {
namespace {

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

// What keeps the wraps of the cycle counter apart does no harm with the other clock, either.
TEST(Threads, NoEventIsLostWhileCursorsAreParked) {
    constexpr int kThreads = 3;
    constexpr int kCalls = 3000;
    const RuntimeSymbols symbols;
    const CodeRange* function = symbols.function("_ZN9mipstrace6record12park_cursorsEv");
    ASSERT_NE(function, nullptr);
    auto* park_cursors = reinterpret_cast<void (*)()>(reinterpret_cast<uintptr_t>(function->begin));
    const OwnTrace before;
    std::atomic<bool> done{false};
    std::atomic<int> parks{0};
    std::thread parker([&] {
        for (; !done; parks++)
            park_cursors();
    });
    in_threads(kThreads, [&] {
        EXPECT_EQ(traced_add(1, 1), 2);  // now there is a cursor
        for (const int begun = parks; parks < begun + 2;)
            std::this_thread::yield();
        for (int i = 1; i < kCalls; i++)
            EXPECT_EQ(traced_add(i, 1), i + 1);
    });
    done = true;
    parker.join();
    const OwnTrace after;
    const uint32_t position = after.position_of(address(traced_add));
    for (uint32_t kind : {0u, 1u})
        EXPECT_EQ(after.count(position | kind) - before.count(position | kind),
                  size_t(kThreads * kCalls));
    const uint32_t sync =
        format::record_word(format::RecordType::sync, 1 + sizeof(format::Sync) / 8);
    EXPECT_GT(after.count(sync), before.count(sync));
    EXPECT_EQ(after.lost(format::Loss::no_space), before.lost(format::Loss::no_space));
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
