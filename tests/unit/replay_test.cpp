// What `replay`, `report` and `graph` print of a recording.
#include "tools/replay/replay.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "lib/base/unique_fd.h"
#include "tests/unit/trace_builder.h"
#include "tools/graph/graph_text.h"
#include "tools/info/info.h"
#include "tools/report/report_text.h"
#include "tools/shares.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

constexpr uint32_t kA = 0x10000;  // shown as a+0x0 ...
constexpr uint32_t kB = 0x10010;
constexpr uint32_t kC = 0x20000;  // ... and "b,x+0x0"

TraceBuilder two_threads() {
    TraceBuilder trace;
    trace.module("/nowhere/a", 0x10000, 0x1000);
    trace.module("/nowhere/b,x", 0x20000, 0x1000);
    trace.chunk(100, 0, 1000);
    trace.enter(1000, kA);
    trace.enter(2000, kB);
    trace.leave(3500, kB);
    trace.enter(4000, kA);
    trace.leave(6000, kA);
    trace.left(9000, kA);
    trace.chunk(101, 0, 1500);
    trace.enter(1500, kC);
    trace.enter(5000, kB);
    trace.enter(5500, kA);
    return trace;
}

ViewOptions view_of(const TemporaryFile& file) {
    ViewOptions options;
    options.input = file.path();
    return options;
}

// What `write` writes into an OutBuffer or to a descriptor.
template <typename F>
std::string output_of(F write) {
    TemporaryFile out("", ".out");
    UniqueFd fd(open(out.path().c_str(), O_WRONLY | O_TRUNC));
    write(fd.get());
    return out.content();
}

std::string replay_of(const ViewOptions& view, const ReplayOptions& options) {
    return output_of([&](int fd) {
        View recording(view);
        EXPECT_EQ(replay(recording, options, fd), 0);
    });
}

TEST(Replay, MergesThreadsByTime) {
    TraceBuilder trace = two_threads();
    TemporaryFile file(trace.bytes());
    EXPECT_EQ(replay_of(view_of(file), {}),
              "# DURATION     TID     FUNCTION\n"
              "            [   100] | a+0x0() {\n"
              "            [   101] | b,x+0x0() {\n"
              "   1.500 us [   100] |   a+0x10();\n"
              "   2.000 us [   100] |   a+0x0();\n"
              "            [   101] |   a+0x10() {\n"
              "            [   101] |     a+0x0(); /* in flight: no return recorded */\n"
              "            [   101] |   } /* a+0x10: in flight: no return recorded */\n"
              "            [   101] | } /* b,x+0x0: in flight: no return recorded */\n"
              "   8.000 us [   100] | } /* a+0x0: left without returning */\n");
}

TEST(Replay, NestingAlone) {
    TraceBuilder trace = two_threads();
    TemporaryFile file(trace.bytes());
    ViewOptions view = view_of(file);
    view.tids = {100};
    ReplayOptions options;
    options.fields = *parse_fields("none");
    EXPECT_EQ(replay_of(view, options),
              "a+0x0() {\n"
              "  a+0x10();\n"
              "  a+0x0();\n"
              "} /* a+0x0: left without returning */\n");
    options.splits_leaves = true;
    options.is_uncommented = true;
    view.notrace = {"nothing", "a+0x10"};
    EXPECT_EQ(replay_of(view, options),
              "a+0x0() {\n"
              "  a+0x0() {\n"
              "  }\n"
              "} /* a+0x0: left without returning */\n");
}

TEST(Replay, Fields) {
    EXPECT_FALSE(parse_fields("duration,size"));
    EXPECT_FALSE(parse_fields(""));
    EXPECT_EQ(parse_fields("+time")->size(), 3u);
    TraceBuilder trace = two_threads();
    TemporaryFile file(trace.bytes());
    ViewOptions view = view_of(file);
    view.tids = {100};
    view.depth = 1;
    ReplayOptions options;
    options.fields = *parse_fields("time,elapsed,delta");
    EXPECT_EQ(
        replay_of(view, options),
        "#     TIMESTAMP       ELAPSED      DELTA     FUNCTION\n"
        "         0.000001000   0.000 us   0.000 us | a+0x0(); /* left without returning */\n");
}

TEST(Replay, TellsOfLossesWhereTheyHappened) {
    TraceBuilder trace;
    trace.chunk(1, 0, 0).lost[size_t(format::Loss::too_deep)] = 3;
    trace.enter(10, kA);
    trace.chunk(1, 1, 20);
    trace.leave(30, kA);
    TemporaryFile file(trace.bytes());
    ReplayOptions options;
    options.fields.clear();
    EXPECT_EQ(replay_of(view_of(file), options),
              "unknown+0x10000() {\n"
              "  /* not recorded: 3 calls (nested deeper than the shadow stack) */\n"
              "} /* unknown+0x10000 */\n");
}

std::string csv_of(const Profile& profile) {
    return output_of([&](int fd) {
        OutBuffer out(fd);
        write_csv(out, profile);
        out.flush();
    });
}

TEST(Report, CountsARecursionOnce) {
    TraceBuilder trace = two_threads();
    TemporaryFile file(trace.bytes());
    View view(view_of(file));
    Profile profile = make_profile(view);
    sort_profile(&profile, {"total"});
    EXPECT_EQ(profile.in_flight, 3u);
    EXPECT_EQ(csv_of(profile),
              "function,module,calls,total_ns,self_ns,avg_ns,min_ns,max_ns\n"
              "a+0x0,a,3,8000,6500,3333,0,8000\n"
              "\"b,x+0x0\",\"b,x\",1,4000,3500,4000,4000,4000\n"
              "a+0x10,a,2,2000,2000,1000,500,1500\n");
}

TEST(Report, CallsThatWereOpenBeforeCountWithTheirTimeOnly) {
    TraceBuilder trace;
    trace.chunk(1, 0, 1000).depth = 2;
    trace.open(1000, {kA, kB});
    trace.enter(2000, kA);
    trace.leave(2500, kA);
    trace.leave(3000, kB);
    trace.enter(4000, kB);
    trace.leave(5000, kB);
    trace.leave(6000, kA);
    TemporaryFile file(trace.bytes());
    View view(view_of(file));
    Profile profile = make_profile(view);
    sort_profile(&profile, {"total"});
    EXPECT_EQ(profile.went_on, 2u);
    EXPECT_EQ(csv_of(profile),
              "function,module,calls,total_ns,self_ns,avg_ns,min_ns,max_ns\n"
              "unknown+0x10000,?,1,5000,2500,500,500,500\n"
              "unknown+0x10010,?,1,3000,2500,1000,1000,1000\n");
}

TEST(Report, CallsInASnapshotLastUpToItsMoment) {
    TraceBuilder trace = two_threads();
    trace.header.flags = format::kFlagSnapshot;
    trace.header.end_mono_ns = 12000;
    TemporaryFile file(trace.bytes());
    ViewOptions options = view_of(file);
    options.tids = {101};
    View view(options);
    Profile profile = make_profile(view);
    sort_profile(&profile, {"total"});
    EXPECT_EQ(csv_of(profile),
              "function,module,calls,total_ns,self_ns,avg_ns,min_ns,max_ns\n"
              "\"b,x+0x0\",\"b,x\",1,10500,3500,10500,10500,10500\n"
              "a+0x10,a,1,7000,500,7000,7000,7000\n"
              "a+0x0,a,1,6500,6500,6500,6500,6500\n");
}

TEST(Report, CallsLastNoLongerThanTheRecordingOfTheirThread) {
    TraceBuilder trace;
    trace.module("/nowhere/a", 0x10000, 0x1000);
    trace.metadata(format::MetaType::option,
                   "max_size=" + std::to_string(2 * trace.header.chunk_size));
    trace.header.flags = format::kFlagFinished;
    trace.header.end_mono_ns = 12000;
    trace.chunk(100, 0, 1000).lost[size_t(format::Loss::no_space)] = 4;
    trace.enter(1000, kA);
    trace.enter(2000, kB);
    trace.leave(3500, kB);
    TemporaryFile file(trace.bytes());
    View view(view_of(file));
    Profile profile = make_profile(view);
    sort_profile(&profile, {"total"});
    EXPECT_EQ(csv_of(profile),
              "function,module,calls,total_ns,self_ns,avg_ns,min_ns,max_ns\n"
              "a+0x0,a,1,2500,1000,2500,2500,2500\n"
              "a+0x10,a,1,1500,1500,1500,1500,1500\n");
    EXPECT_EQ(losses_sentence(view.session()), "4 events (the trace file has reached --max-size)");
}

TEST(Report, NoNameReachesTheTerminalRaw) {
    TraceBuilder trace;
    trace.module("/nowhere/x\x1b[2J\n", 0x10000, 0x1000);
    trace.metadata(format::MetaType::cwd, "/\x1b[2J");
    trace.metadata(format::MetaType::message, "\a\n");
    trace.chunk(1, 0, 1000);
    trace.enter(1000, kA);
    trace.leave(2000, kA);
    TemporaryFile file(trace.bytes());
    View view(view_of(file));
    std::string text = output_of([&](int fd) {
        OutBuffer out(fd);
        write_csv(out, make_profile(view));
        write_info(out, Session(file.path()));
        out.flush();
    });
    EXPECT_NE(text.find("\nx\\x1b[2J\\x0a+0x0,x\\x1b[2J\\x0a,1,"), std::string::npos) << text;
    EXPECT_NE(text.find(": /\\x1b[2J\n"), std::string::npos) << text;
    EXPECT_NE(text.find(": \\x07\\x0a\n"), std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
}

TEST(Report, IsTheSameWithAnyNumberOfJobs) {
    TraceBuilder trace = two_threads();
    trace.chunk(102, 0, 1600);
    trace.enter(1700, kC);
    trace.leave(1800, kC);
    TemporaryFile file(trace.bytes());
    ViewOptions options = view_of(file);
    std::string reports[3];
    std::string graphs[3];
    for (uint32_t i = 0; i < 3; i++) {
        options.jobs = i + 1;
        View view(options);
        EXPECT_EQ(shares_of(view, options.jobs).size(), i + 1);
        Profile profile = make_profile(view);
        reports[i] = csv_of(profile);
        EXPECT_EQ(profile.in_flight, 3u);
        graphs[i] = output_of([&](int fd) {
            OutBuffer out(fd);
            write_tree(out, make_call_tree(view), CallTree::kRoot, view.functions());
            out.flush();
        });
    }
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_EQ(reports[0], reports[2]);
    EXPECT_EQ(graphs[0], graphs[1]);
    EXPECT_EQ(graphs[0], graphs[2]);
}

TEST(TimeRange, ElapsedTimesAreThoseOfTheWholeRecording) {
    TraceBuilder trace;
    // The file was made between the first event and its chunk.
    trace.chunk(1, 0, 20'001'000);
    trace.enter(1000, kA);
    trace.enter(20'002'000, kB);
    TemporaryFile file(trace.bytes());
    ViewOptions options = view_of(file);
    ReplayOptions elapsed;
    elapsed.fields = *parse_fields("elapsed");
    options.range = *parse_time_range("~1us");
    EXPECT_EQ(replay_of(options, elapsed),
              "# ELAPSED     FUNCTION\n"
              "   0.000 us | unknown+0x10000(); /* in flight: no return recorded */\n");
    options.range = *parse_time_range("10us~");
    EXPECT_EQ(replay_of(options, elapsed),
              "# ELAPSED     FUNCTION\n"
              "  10.000 us | unknown+0x10000() { /* since before the first event */\n"
              "  20.001 ms |   unknown+0x10010(); /* in flight: no return recorded */\n"
              "  20.001 ms | } /* unknown+0x10000: in flight: no return recorded */\n");
}

TEST(Replay, AMarkerStandsAtItsTimeWithoutIndent) {
    TraceBuilder trace;
    const format::MarkerRecord record{1500};
    trace.metadata(format::MetaType::marker,
                   std::string(reinterpret_cast<const char*>(&record), sizeof record) + "hello");
    trace.chunk(1, 0, 1000);
    trace.enter(1000, kA);
    trace.enter(1200, kB);
    trace.leave(1300, kB);
    trace.leave(2000, kA);
    TemporaryFile file(trace.bytes());
    ReplayOptions plain;
    plain.fields = *parse_fields("duration");
    EXPECT_EQ(replay_of(view_of(file), plain),
              "# DURATION    FUNCTION\n"
              "            | unknown+0x10000() {\n"
              "   0.100 us |   unknown+0x10010();\n"
              "            | /* marker: hello */\n"
              "   1.000 us | } /* unknown+0x10000 */\n");
}

TEST(TimeRange, OnlyItsChunksAreRead) {
    TraceBuilder trace;
    trace.chunk(1, 0, 1000);
    trace.enter(1000, kA);
    trace.chunk(1, 1, 2000).depth = 1;
    trace.enter(2000, kB);
    trace.leave(2300, kB);
    trace.enter(2400, kC);
    trace.chunk(1, 2, 3000).depth = 2;
    trace.leave(3000, kC);
    trace.leave(3200, kA);
    TemporaryFile file(trace.bytes());
    ViewOptions options = view_of(file);
    options.range = *parse_time_range("1100ns~1500ns");
    View view(options);
    ASSERT_EQ(view.sources().size(), 1u);
    EXPECT_EQ(view.sources()[0].first_chunk, 1u);
    EXPECT_EQ(view.sources()[0].chunk_count, 1u);
    ReplayOptions plain;
    plain.fields = *parse_fields("duration");
    EXPECT_EQ(replay_of(options, plain),
              "# DURATION    FUNCTION\n"
              "            | unknown+0x10010() { /* since before the first event */\n"
              "   0.200 us | } /* unknown+0x10010 */\n"
              "            | unknown+0x20000(); /* in flight: no return recorded */\n");
}

TEST(TimeRange, Forms) {
    EXPECT_TRUE(parse_time_range("1s~1.5s")->stop->is_elapsed);
    EXPECT_EQ(parse_time_range("~20ms")->stop->ns, 20'000'000u);
    EXPECT_FALSE(parse_time_range("~20ms")->start);
    EXPECT_EQ(parse_time_range("7033.25~")->start->ns, 7'033'250'000'000u);
    EXPECT_FALSE(parse_time_range("7033.25~")->start->is_elapsed);
    for (const char* bad : {"", "~", "3s", "x~1s", "1s~2x", "2s~1s"})
        EXPECT_FALSE(parse_time_range(bad)) << bad;
}

TEST(Report, SortKeys) {
    SortKeys keys;
    EXPECT_TRUE(parse_sort_keys("self,call,func", &keys));
    EXPECT_EQ(keys.size(), 3u);
    EXPECT_FALSE(parse_sort_keys("size", &keys));
    EXPECT_FALSE(parse_sort_keys("", &keys));
}

TEST(Graph, FindsEachOfManyNodes) {
    CallTree tree;
    constexpr uint32_t kMany = 100'000;
    for (uint32_t i = 0; i < kMany; i++)
        EXPECT_EQ(tree.child(i, 7), i + 1);
    for (uint32_t i = 0; i < kMany; i++)
        EXPECT_EQ(tree.child(i, 7), i + 1);
    EXPECT_EQ(tree.size(), kMany + 1);
}

TEST(Graph, MergesCallsOfTheSamePath) {
    TraceBuilder trace = two_threads();
    TemporaryFile file(trace.bytes());
    View view(view_of(file));
    CallTree tree = make_call_tree(view);
    std::string all = output_of([&](int fd) {
        OutBuffer out(fd);
        write_tree(out, tree, CallTree::kRoot, view.functions());
        out.flush();
    });
    EXPECT_EQ(all,
              "# TOTAL TIME   (CALLS) FUNCTION\n"
              "   8.000 us : (1) a+0x0\n"
              "   1.500 us :  +-(1) a+0x10\n"
              "   2.000 us :  +-(1) a+0x0\n"
              "   4.000 us : (1) b,x+0x0\n"
              "   0.500 us :  +-(1) a+0x10\n"
              "   0.000 us :     +-(1) a+0x0\n");
    std::string one = output_of([&](int fd) {
        OutBuffer out(fd);
        EXPECT_TRUE(write_function_graph(out, tree, view.functions(), "a+0x10"));
        EXPECT_FALSE(write_function_graph(out, tree, view.functions(), "nothing"));
        out.flush();
    });
    EXPECT_EQ(one,
              "=============== BACKTRACE ===============\n"
              " backtrace #0: hit 1, time   1.500 us\n"
              "   [0] a+0x0\n"
              "   [1] a+0x10\n"
              "\n"
              " backtrace #1: hit 1, time   0.500 us\n"
              "   [0] b,x+0x0\n"
              "   [1] a+0x10\n"
              "\n"
              "========== FUNCTION CALL GRAPH ==========\n"
              "# TOTAL TIME   (CALLS) FUNCTION\n"
              "   2.000 us : (2) a+0x10\n"
              "   0.000 us :  +-(1) a+0x0\n");
}

}  // namespace
}  // namespace mipstrace::tools
