// Matching of returns with calls, and the filters.
#include "tools/model/call_stream.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/trace_builder.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

// Functions of a module without a file: /nowhere/m at position p is called "m+0xp".
constexpr uint32_t kA = 0x10000;
constexpr uint32_t kB = 0x10100;
constexpr uint32_t kC = 0x10200;

TraceBuilder new_trace() {
    TraceBuilder trace;
    trace.module("/nowhere/m", 0x10000, 0x1000, 0x10000);
    return trace;
}

// "A( B( B)10 A)50": what begins, what ends and after how long. Marks: ! left, ~ in flight,
// ? its call was not seen, # its return was not, * a note. "A[0": was open before the first event.
// ->1: the stack from here on.
std::string calls_of(TraceBuilder& trace, CallFilter filter = {}, FunctionOptions options = {}) {
    TemporaryFile temporary(trace.bytes());
    TraceFile file(temporary.path());
    Functions functions(options);
    FunctionsOfFile of_file(functions, file);
    std::string text;
    for (const Thread& thread : file.threads()) {
        CallStream calls(file, thread, of_file, filter);
        Step step;
        uint64_t before = 0;
        while (calls.next(&step)) {
            if (!text.empty()) text += ' ';
            if (step.kind == StepKind::lost) {
                text += "lost";
                continue;
            }
            if (step.kind == StepKind::noted) {
                text += "*" + std::to_string(step.depth);
                continue;
            }
            if (step.kind == StepKind::switched) {
                text += "->" + std::to_string(step.stack);
                continue;
            }
            EXPECT_GE(step.time, step.kind == StepKind::enter ? 0 : before);
            before = step.time;
            std::string name = functions[step.function].name;
            text += name == "m+0x10000" ? "A" : name == "m+0x10100" ? "B" : "C";
            if (step.kind == StepKind::enter) {
                text += "(" + std::to_string(step.depth);
                continue;
            }
            if (step.kind == StepKind::goes_on) {
                text += "[" + std::to_string(step.depth);
                continue;
            }
            const char* marks[] = {"", "", "", "!", "#", "~", "?"};
            text += marks[size_t(step.kind)];
            text += ")" + std::to_string(step.duration) + "/" + std::to_string(step.self);
        }
    }
    return text;
}

TEST(CallStream, NestedCalls) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.enter(20, kB);
    trace.leave(30, kB);
    trace.enter(40, kB);
    trace.leave(55, kB);
    trace.leave(60, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 B)10/10 B(1 B)15/15 A)50/25");
}

// Each recorded call has cost two nanoseconds between its events, and three around them.
TraceBuilder with_overhead(bool swap = false) {
    TraceBuilder trace(swap);
    trace.module("/nowhere/m", 0x10000, 0x1000, 0x10000);
    trace.overhead({2000, 3000});
    trace.chunk(1, 0, 0);
    return trace;
}
const CallFilter kSubtracted{.subtracts_overhead = true};

TEST(CallStream, SubtractsOverhead) {
    for (bool swap : {false, true}) {
        TraceBuilder trace = with_overhead(swap);
        trace.enter(100, kA);
        trace.enter(120, kB);
        trace.enter(130, kC);
        trace.leave(150, kC);
        trace.leave(170, kB);
        trace.enter(180, kC);
        trace.leave(190, kC);
        trace.leave(200, kA);
        EXPECT_EQ(calls_of(trace), "A(0 B(1 C(2 C)20/20 B)50/30 C(1 C)10/10 A)100/40");
        // A: 100 - 2 - 3 * 5; its own: 40 - 2 - 2 * 3.
        EXPECT_EQ(calls_of(trace, kSubtracted), "A(0 B(1 C(2 C)18/18 B)43/25 C(1 C)8/8 A)83/32");
    }
}

TEST(CallStream, SubtractsOverheadOfWhatFiltersHide) {
    TraceBuilder trace = with_overhead();
    trace.enter(100, kA);
    trace.enter(120, kB);
    trace.enter(130, kC);
    trace.leave(150, kC);
    trace.leave(170, kB);
    trace.leave(200, kA);
    CallFilter filter = kSubtracted;
    filter.depth = 1;
    EXPECT_EQ(calls_of(trace, filter), "A(0 A)88/88");
}

TEST(CallStream, NoTimeIsNegative) {
    TraceBuilder trace = with_overhead();
    trace.enter(100, kA);
    for (uint32_t i = 0; i < 3; i++) {
        trace.enter(101 + 2 * i, kB);
        trace.leave(102 + 2 * i, kB);
    }
    trace.leave(108, kA);
    EXPECT_EQ(calls_of(trace, kSubtracted), "A(0 B(1 B)0/0 B(1 B)0/0 B(1 B)0/0 A)0/0");
}

TEST(CallStream, WithoutAMeasurementNothingIsSubtracted) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.leave(30, kA);
    EXPECT_EQ(calls_of(trace, kSubtracted), "A(0 A)20/20");
}

TEST(CallStream, Recursion) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    for (uint32_t i = 0; i < 3; i++)
        trace.enter(10 * (i + 1), kA);
    for (uint32_t i = 0; i < 3; i++)
        trace.leave(40 + 10 * i, kA);
    EXPECT_EQ(calls_of(trace), "A(0 A(1 A(2 A)10/10 A)30/20 A)50/20");
}

TEST(CallStream, LeftAndInFlight) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.enter(20, kB);
    trace.left(30, kB);
    trace.enter(40, kC);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 B!)10/10 C(1 C~)0/0 A~)30/20");
}

TEST(CallStream, ReturnOfAnOuterCallEndsTheInnerOnes) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.enter(20, kB);
    trace.leave(30, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 B!)10/10 A)20/10");
}

TEST(CallStream, ReturnsWithoutCallsAtTheBegin) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 5, 0).depth = 2;
    trace.enter(10, kC);
    trace.leave(15, kC);
    trace.leave(20, kB);
    trace.leave(30, kA);
    trace.enter(40, kA);
    trace.leave(45, kA);
    EXPECT_EQ(calls_of(trace), "C(0 C)5/5 B?)0/0 A?)0/0 A(0 A)5/5");
}

TEST(CallStream, CallsThatEndInAGap) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.enter(20, kB);
    trace.chunk(1, 3, 100).depth = 1;
    trace.leave(110, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 B#)80/80 A)100/20");
}

TEST(CallStream, CallsThatBeginInAGap) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.chunk(1, 3, 100).depth = 2;
    trace.leave(110, kB);
    trace.leave(120, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B?)0/0 A)110/110");
}

constexpr uint32_t kFirst = format::kFirstOnStack;

// A calls B, which starts a coroutine C, which is switched away from and resumed by a second B.
TraceBuilder coroutine_trace() {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(0, kA);
    trace.enter(10, kB);
    trace.switched(20, kC, 0 | kFirst);
    trace.switched(50, kB | 1, 1);
    trace.switched(60, kB, 1);
    trace.switched(70, kC | 1, 1);
    trace.leave(90, kB);
    trace.leave(100, kA);
    return trace;
}

TEST(CallStream, ACoroutineIsNestedInWhoStartedIt) {
    TraceBuilder trace = coroutine_trace();
    // Each moment is one call's own: 20 to 50 is C's, 60 to 90 the second B's.
    EXPECT_EQ(calls_of(trace), "A(0 B(1 ->1 C(2 ->0 B)40/10 B(1 ->1 C)50/30 ->0 B)30/30 A)100/30");
}

TEST(CallStream, FiltersOfCoroutines) {
    TraceBuilder trace = coroutine_trace();
    FunctionOptions options;
    options.wanted = "*200";
    EXPECT_EQ(calls_of(trace, {}, options), "->1 C(0 C)50/30");
    options.wanted = "";
    options.unwanted = "*200";
    EXPECT_EQ(calls_of(trace, {}, options), "A(0 B(1 B)40/40 B(1 B)30/30 A)100/30");
    EXPECT_EQ(calls_of(trace, {0, 45}), "A(0 C(2 C)50/30 A)100/100");
}

TEST(CallStream, CallsOnAStackThatWasSwitchedTo) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(0, kA);
    trace.switched(10, kC, 0 | kFirst);
    trace.switched(20, kB, 1);
    trace.switched(30, kA, 1);
    trace.leave(35, kA);
    trace.left(40, kC, 1);
    trace.leave(50, kB);
    trace.leave(60, kA);
    EXPECT_EQ(calls_of(trace), "A(0 ->1 C(1 ->0 B(1 ->1 A(2 A)5/5 C!)30/15 ->0 B)30/20 A)60/20");
}

TEST(CallStream, AReturnOfAnotherThreadsCall) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(0, kA);
    trace.switched(10, kA | 1, format::kNoCall);
    trace.leave(20, kA);
    EXPECT_EQ(calls_of(trace), "A(0 A?)0/0 A)20/20");
}

TEST(CallStream, SwitchesThatMakeNoSenseDoNoHarm) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.switched(10, kA, 1000000);
    trace.switched(20, kB | 1, 0);
    trace.switched(30, kB | 1, 7 | kFirst);
    trace.left(40, kC, 3);
    trace.leave(50, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B?)0/0 C?)0/0 A)40/40");
}

// Many coroutines, each switched to again and again: gaps among the open calls are closed.
TEST(CallStream, CoroutinesTakeTurns) {
    constexpr uint32_t kCount = 5;
    constexpr uint32_t kTurns = 400;
    TraceBuilder trace = new_trace();
    trace.header.chunk_size = 1 << 20;
    trace.chunk(1, 0, 0);
    uint64_t now = 0;
    trace.enter(now, kA);
    for (uint32_t i = 0; i < kCount; i++)
        trace.switched(++now, kB, i | kFirst);
    for (uint32_t i = 0; i < kCount; i++)
        trace.switched(++now, kC, kCount - 1);
    for (uint32_t turn = 0; turn < kTurns; turn++) {
        trace.switched(++now, kC | 1, kCount - 1);
        trace.switched(++now, kC, 2 * (kCount - 1) - turn % kCount);
    }
    TemporaryFile temporary(trace.bytes());
    TraceFile file(temporary.path());
    Functions functions{FunctionOptions{}};
    FunctionsOfFile of_file(functions, file);
    CallStream calls(file, file.threads().at(0), of_file, {});
    std::map<uint32_t, uint32_t> ends;
    Step step;
    while (calls.next(&step)) {
        if (step.kind == StepKind::leave) ends[step.stack]++;
        if (step.kind == StepKind::enter && functions[step.function].name == "m+0x10200") {
            EXPECT_EQ(step.depth, 2u);
            EXPECT_NE(step.stack, 0u);
        }
    }
    EXPECT_EQ(ends.size(), kCount);
    for (const auto& [stack, count] : ends)
        EXPECT_EQ(count, kTurns / kCount) << stack;
}

TraceBuilder filter_trace() {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(0, kA);
    trace.enter(10, kB);
    trace.enter(20, kC);
    trace.leave(90, kC);
    trace.leave(100, kB);
    trace.enter(110, kC);
    trace.leave(115, kC);
    trace.leave(200, kA);
    return trace;
}

TEST(CallStream, CallsThatWereOpenBefore) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 4, 100).depth = 2;
    trace.open(100, {kA, kB});
    trace.leave(110, kB);
    trace.enter(120, kC);
    EXPECT_EQ(calls_of(trace), "A[0 B[1 B)10/10 C(1 C~)0/0 A~)20/10");
}

TEST(CallStream, CallsThatAreOpenOnBothSidesOfAGap) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(10, kA);
    trace.enter(20, kB);
    trace.chunk(1, 3, 100).depth = 2;
    trace.open(100, {kA, kC});
    trace.leave(130, kC);
    trace.leave(140, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 B#)80/80 C[1 C)30/30 A)130/20");
}

TEST(CallStream, OpenCallsOfADeepStack) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 4, 100).depth = 3;  // of one nothing is known
    trace.open(100, {kA, kB});
    trace.leave(110, kB);
    trace.leave(120, kA);
    trace.leave(130, kC);
    EXPECT_EQ(calls_of(trace), "A[0 B[1 B)10/10 A)20/10 C?)0/0");
}

TEST(CallStream, LossesWaitForCallsThatMayBeTooShort) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0).lost[size_t(format::Loss::recursion)] = 1;
    trace.enter(10, kA);
    trace.enter(40, kB);
    trace.chunk(1, 1, 41);
    trace.leave(70, kB);
    trace.enter(80, kC);
    trace.leave(90, kC);
    trace.leave(100, kA);
    EXPECT_EQ(calls_of(trace), "A(0 B(1 lost B)30/30 C(1 C)10/10 A)90/50");
    EXPECT_EQ(calls_of(trace, {0, 20}), "A(0 B(1 lost B)30/30 A)90/60");
    EXPECT_EQ(calls_of(trace, {0, 50}), "A(0 lost A)90/90");
}

TEST(CallStream, ARangeOfTimeIsLikeARecordingOfIt) {
    TraceBuilder trace = filter_trace();
    auto range = [](uint64_t start, uint64_t stop) { return CallFilter{0, 0, start, stop}; };
    EXPECT_EQ(calls_of(trace, range(50, 112)), "A[0 B[1 C[2 C)40/40 B)50/10 C(1 C~)2/2 A~)62/10");
    EXPECT_EQ(calls_of(trace, range(30, 60)), "A[0 B[1 C[2 C~)30/30 B~)30/0 A~)30/0");
    EXPECT_EQ(calls_of(trace, range(0, 5)), "A(0 A~)5/5");
    EXPECT_EQ(calls_of(trace, range(201, 300)), "");
    CallFilter longer = range(50, 300);
    longer.threshold_ns = 45;
    EXPECT_EQ(calls_of(trace, longer), "A[0 B[1 B)50/50 A)150/100");
}

TEST(CallStream, FilterShowsAFunctionAndItsCallees) {
    TraceBuilder trace = filter_trace();
    FunctionOptions options;
    options.wanted = "*100";
    EXPECT_EQ(calls_of(trace, {}, options), "B(0 C(1 C)70/70 B)90/20");
    options.unwanted = "*200";
    EXPECT_EQ(calls_of(trace, {}, options), "B(0 B)90/90");
}

TEST(CallStream, NotraceHidesAFunctionAndItsCallees) {
    TraceBuilder trace = filter_trace();
    FunctionOptions options;
    options.unwanted = "*100@m";
    EXPECT_EQ(calls_of(trace, {}, options), "A(0 C(1 C)5/5 A)200/195");
}

TEST(CallStream, HideDropsAFunctionAlone) {
    TraceBuilder trace = filter_trace();
    FunctionOptions options;
    options.hidden = "*100";
    EXPECT_EQ(calls_of(trace, {}, options), "A(0 C(1 C)70/70 C(1 C)5/5 A)200/125");
    EXPECT_EQ(calls_of(trace, {1, 0}, options), "A(0 A)200/200");
}

TEST(CallStream, NotesGoWithTheirCall) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.note(5, format::NoteKind::trace_on);
    trace.enter(10, kA);
    trace.note(12, format::NoteKind::memory);
    trace.enter(20, kB);
    trace.note(21, format::NoteKind::memory);
    trace.leave(30, kB);
    trace.note(31, format::NoteKind::memory);
    trace.leave(60, kA);
    EXPECT_EQ(calls_of(trace), "*0 A(0 *1 B(1 *2 B)10/10 *1 A)50/40");
    CallFilter filter;
    filter.threshold_ns = 20;
    EXPECT_EQ(calls_of(trace, filter), "*0 A(0 *1 *1 A)50/50");
    filter.threshold_ns = 100;
    EXPECT_EQ(calls_of(trace, filter), "*0");
    FunctionOptions options;
    options.hidden = "m+0x10100";
    EXPECT_EQ(calls_of(trace, {}, options), "*0 A(0 *1 *1 A)50/50");
}

TEST(CallStream, TargetsAreShownWithTheirCallersAlone) {
    TraceBuilder trace = filter_trace();
    FunctionOptions options;
    options.targets = "*100";
    EXPECT_EQ(calls_of(trace, {}, options), "A(0 B(1 B)90/90 A)200/110");
    options.targets = "*200";
    EXPECT_EQ(calls_of(trace, {}, options), calls_of(trace));
    options.targets = "*300";
    EXPECT_EQ(calls_of(trace, {}, options), "");
    options.targets = "*200";
    EXPECT_EQ(calls_of(trace, {0, 50}, options), "A(0 B(1 C(2 C)70/70 B)90/20 A)200/110");
    EXPECT_EQ(calls_of(trace, {0, 80}, options), "A(0 B(1 B)90/90 A)200/110");
    options.wanted = "*100";
    EXPECT_EQ(calls_of(trace, {}, options), "B(0 C(1 C)70/70 B)90/20");
    options.hidden = "*100";
    EXPECT_EQ(calls_of(trace, {}, options), "C(0 C)70/70");
}

TEST(CallStream, WhatLeadsToNoTargetIsNotShownInFlight) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0).lost[size_t(format::Loss::recursion)] = 1;
    trace.enter(0, kA);
    trace.enter(5, kB);
    trace.leave(20, kB);
    trace.chunk(1, 1, 25);
    trace.enter(30, kC);
    trace.enter(40, kB);
    FunctionOptions options;
    options.targets = "*200";
    EXPECT_EQ(calls_of(trace, {}, options), "A(0 lost C(1 C~)10/10 A~)40/30");
    EXPECT_EQ(calls_of(trace, {0, 20}, options), "A(0 lost C(1 C~)10/10 A~)40/30");
    options.targets = "*300";
    EXPECT_EQ(calls_of(trace, {}, options), "lost");
    options.targets = "*000";
    EXPECT_EQ(calls_of(trace, CallFilter{0, 0, 22, 35}, options), "A[0 A~)13/13");
}

TEST(CallStream, DepthCountsFromTheFilter) {
    TraceBuilder trace = filter_trace();
    EXPECT_EQ(calls_of(trace, {2, 0}), "A(0 B(1 B)90/90 C(1 C)5/5 A)200/105");
    FunctionOptions options;
    options.wanted = "*100";
    EXPECT_EQ(calls_of(trace, {1, 0}, options), "B(0 B)90/90");
}

TEST(CallStream, ShortCallsAreDropped) {
    TraceBuilder trace = filter_trace();
    EXPECT_EQ(calls_of(trace, {0, 50}), "A(0 B(1 C(2 C)70/70 B)90/20 A)200/110");
    EXPECT_EQ(calls_of(trace, {0, 80}), "A(0 B(1 B)90/90 A)200/110");
    EXPECT_EQ(calls_of(trace, {0, 201}), "");
}

TEST(CallStream, CallsInFlightAreNeverTooShort) {
    TraceBuilder trace = new_trace();
    trace.chunk(1, 0, 0);
    trace.enter(0, kA);
    trace.enter(5, kB);
    EXPECT_EQ(calls_of(trace, {0, 1000}), "A(0 B(1 B~)0/0 A~)5/5");
}

}  // namespace
}  // namespace mipstrace::tools
