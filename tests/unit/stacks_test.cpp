// Stacks in a recording: whose they are, and what `replay` and `graph` print of them.
#include "tools/stacks/stack_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "lib/base/unique_fd.h"
#include "tests/unit/trace_builder.h"
#include "tools/graph/graph_text.h"
#include "tools/replay/replay.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

constexpr uint32_t kA = 0x10000;  // shown as a+0x10000 ...
constexpr uint32_t kB = 0x10010;
constexpr uint64_t kBias = 0x400000;
constexpr uint64_t kMain = kBias + 0x504;  // ... this as p+0x503
constexpr uint64_t kLoop = kBias + 0x604;

TraceBuilder new_trace(bool swap = false) {
    TraceBuilder trace(swap);
    trace.module("/nowhere/a", 0x10000, 0x1000, 0x10000);
    trace.object("/nowhere/p", 1, kBias, 0x400, 0x400);
    trace.chunk(1, 0, 0);
    return trace;
}

template <typename F>
std::string output_of(TraceBuilder& trace, CallFilter filter, F write) {
    TemporaryFile file(trace.bytes());
    TemporaryFile out("", ".out");
    UniqueFd fd(open(out.path().c_str(), O_WRONLY | O_TRUNC));
    ViewOptions options;
    options.input = file.path();
    options.threshold_ns = filter.threshold_ns;
    View view(options);
    write(view, fd.get());
    return out.content();
}

std::string replay_of(TraceBuilder& trace, CallFilter filter = {}) {
    return output_of(trace, filter, [](View& view, int fd) {
        ReplayOptions options;
        options.fields.clear();
        replay(view, options, fd);
    });
}

TEST(Stacks, BelongToTheCallThatComesNext) {
    for (bool swap : {false, true}) {
        TraceBuilder trace = new_trace(swap);
        trace.enter(10, kA);
        trace.stack(kB, {kLoop, kMain | 1, kA | 3, 0x77777778}, format::kStackCut);
        trace.enter(20, kB);
        trace.leave(30, kB);
        trace.leave(40, kA);
        EXPECT_EQ(replay_of(trace),
                  "a+0x10000() {\n"
                  "  a+0x10010() {\n"
                  "    /* [backtrace] */\n"
                  "    /*   [0] p+0x603 (p) */\n"
                  "    /*   [1] p+0x504 (p), interrupted by a signal */\n"
                  "    /*   ... some may be missing here */\n"
                  "    /*   [2] a+0x10000 (a) */\n"
                  "    /*   [3] 0x77777777 (?) */\n"
                  "    /*   ... and more */\n"
                  "  } /* a+0x10010 */\n"
                  "} /* a+0x10000 */\n");
    }
}

TEST(Stacks, NothingIsMissingWhereTheOpenCallIsTheOneBefore) {
    TraceBuilder trace = new_trace();
    trace.object("/nowhere/a", 1, 0, 0x10000, 0x1000);
    trace.stack(kB, {kA | 1, kA | 3, kMain});
    trace.enter(20, kB);
    trace.leave(30, kB);
    EXPECT_EQ(replay_of(trace),
              "a+0x10010() {\n"
              "  /* [backtrace] */\n"
              "  /*   [0] a+0x10000 (a), interrupted by a signal */\n"
              "  /*   [1] p+0x503 (p) */\n"
              "} /* a+0x10010 */\n");
}

// A handler interrupts the recorder between a stack and its call.
TEST(Stacks, OfHandlersInBetween) {
    TraceBuilder trace = new_trace();
    trace.stack(kA, {kMain});
    trace.stack(kB, {kLoop});
    trace.switched(20, kB, 0);
    trace.leave(30, kB);
    trace.values(35, kA, 0, "");
    trace.leave(40, kA);
    EXPECT_EQ(replay_of(trace),
              "a+0x10010() {\n  /* [backtrace] */\n  /*   [0] p+0x603 (p) */\n} /* a+0x10010 */\n"
              "a+0x10000() {\n  /* [backtrace] */\n  /*   [0] p+0x503 (p) */\n} /* a+0x10000 */\n");
}

TEST(Stacks, OfShortCallsAreNotShown) {
    TraceBuilder trace = new_trace();
    for (uint64_t duration : {5, 500}) {
        trace.stack(kA, {kMain});
        trace.enter(1000 * duration, kA);
        trace.leave(1000 * duration + duration, kA);
    }
    CallFilter filter;
    filter.threshold_ns = 100;
    EXPECT_EQ(replay_of(trace, filter),
              "a+0x10000() {\n  /* [backtrace] */\n  /*   [0] p+0x503 (p) */\n} /* a+0x10000 */\n");
}

TEST(Stacks, OfAnObjectThatWasThereThen) {
    TraceBuilder trace = new_trace();
    trace.object("/nowhere/later", 500, kBias, 0x400, 0x400);
    for (uint64_t time : {10, 1000}) {
        trace.stack(kA, {kMain});
        trace.enter(time, kA);
        trace.leave(time + 1, kA);
    }
    const std::string text = replay_of(trace);
    EXPECT_NE(text.find("p+0x503"), std::string::npos);
    EXPECT_NE(text.find("later+0x503"), std::string::npos);
    EXPECT_LT(text.find("p+0x503"), text.find("later+0x503"));
}

TEST(Stacks, Merged) {
    TraceBuilder trace = new_trace();
    for (uint32_t i = 0; i < 3; i++) {
        trace.stack(kB,
                    i == 1 ? std::vector<uint64_t>{kMain} : std::vector<uint64_t>{kLoop, kMain});
        trace.enter(100 * i, kB);
        trace.leave(100 * i + 10, kB);
    }
    const auto graph = [](View& view, int fd) {
        const CallTree tree = make_stack_tree(view);
        OutBuffer out(fd);
        write_tree(out, tree, CallTree::kRoot, view.functions());
        write_folded(out, tree, view.functions(), Weight::calls);
        write_folded(out, tree, view.functions(), Weight::time);
        out.flush();
    };
    const std::string text = output_of(trace, {}, graph);
    EXPECT_NE(text.find("(3) p+0x503\n"), std::string::npos) << text;
    EXPECT_NE(text.find("(2) p+0x603\n"), std::string::npos) << text;
    EXPECT_NE(text.find("p+0x503;a+0x10010 1\np+0x503;p+0x603;a+0x10010 2\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("p+0x503;a+0x10010 10\np+0x503;p+0x603;a+0x10010 20\n"), std::string::npos)
        << text;
}

}  // namespace
}  // namespace mipstrace::tools
