#include "lib/triggers/parse.h"

#include <gtest/gtest.h>

#include <string>

namespace mipstrace::triggers {
namespace {

Trigger parsed(std::string_view actions) {
    Trigger trigger;
    const Mistake mistake = parse_actions(actions, &trigger);
    EXPECT_EQ(mistake.why, nullptr) << actions << ": " << mistake.why;
    return trigger;
}

Mistake mistake_in(std::string_view actions) {
    Trigger trigger;
    return parse_actions(actions, &trigger);
}

bool holds_for(std::string_view condition, uint64_t argument) {
    const Trigger trigger = parsed("finish,if:" + std::string(condition));
    return holds(trigger.conditions[0], argument);
}

TEST(Triggers, RulesEndAtTheLastAt) {
    const Rule rule = split_rule("f*@libx.so@depth=2");
    EXPECT_EQ(rule.pattern, "f*@libx.so");
    EXPECT_EQ(rule.actions, "depth=2");
    EXPECT_EQ(split_rule("f").actions, "");
}

TEST(Triggers, ActionsAndTheirNumbers) {
    const Trigger trigger =
        parsed("depth=4094,time=1.5ms,snapshot,read=page-fault,read=proc/statm");
    EXPECT_EQ(trigger.actions, kDepth | kTime | kSnapshot | kRead);
    EXPECT_EQ(trigger.depth, 4094u);
    EXPECT_EQ(trigger.time_ns, 1'500'000u);
    EXPECT_EQ(trigger.counters, kMemory | kPageFaults);
    EXPECT_EQ(parsed("trace-on").actions, kTraceOn);
    EXPECT_EQ(parsed("trace_on").actions, kTraceOn);
    EXPECT_EQ(parsed("traceoff").actions, kTraceOff);
    EXPECT_EQ(parsed("finish").actions, kFinish);
    EXPECT_EQ(parsed("backtrace").actions, kBacktrace);
    EXPECT_EQ(actions_in("f@backtrace,if:arg1>1;g@nonsense;h@finish"), kBacktrace | kFinish);
}

TEST(Triggers, ConditionsCompareAsTheArgumentHasItsSign) {
    const uint64_t minus_one = ~uint64_t(0);
    EXPECT_TRUE(holds_for("arg1<0", minus_one));
    EXPECT_FALSE(holds_for("arg1/u64<0", minus_one));
    EXPECT_TRUE(holds_for("arg1==-1", minus_one));
    EXPECT_TRUE(holds_for("arg1/x>0xfffffffffffffffe", minus_one));
    EXPECT_TRUE(holds_for("arg3!=5", 6));
    EXPECT_FALSE(holds_for("arg3!=5", 5));
    for (const uint64_t n : {4, 5, 6}) {
        EXPECT_EQ(holds_for("arg1<=5", n), n <= 5);
        EXPECT_EQ(holds_for("arg1>=0x5", n), n >= 5);
        EXPECT_EQ(holds_for("arg1<5", n), n < 5);
        EXPECT_EQ(holds_for("arg1>5", n), n > 5);
    }
}

TEST(Triggers, ConditionsMayBeSeveralAndAnywhere) {
    const Trigger trigger = parsed("if:arg1>1,finish,if:arg2/i32<-3");
    ASSERT_EQ(trigger.condition_count, 2u);
    EXPECT_EQ(trigger.conditions[1].argument.index, 2);
    EXPECT_EQ(trigger.conditions[1].value, -3);
    EXPECT_NE(mistake_in("finish,if:arg1>1,if:arg1>1,if:arg1>1,if:arg1>1,if:arg1>1").why, nullptr);
}

TEST(Triggers, WhatIsMisspeltHasSomethingNear) {
    EXPECT_EQ(mistake_in("trace-no").near, "trace-on");
    EXPECT_EQ(mistake_in("snapshto").near, "snapshot");
    EXPECT_EQ(mistake_in("deph=3").near, "depth=");
    EXPECT_EQ(mistake_in("read=page-faults").near, "page-fault");
    EXPECT_EQ(mistake_in("finish,somethingelse").wrong, "somethingelse");
    EXPECT_EQ(mistake_in("finish,somethingelse").near, "");
}

TEST(Triggers, WhatMakesNoSenseIsRefused) {
    for (const char* wrong : {"",
                              ",",
                              "finish,",
                              "depth",
                              "depth=",
                              "depth=0",
                              "depth=4095",
                              "depth=x",
                              "time",
                              "time=",
                              "time=1x",
                              "read",
                              "read=",
                              "if:",
                              "if:arg1",
                              "if:arg1=5",
                              "if:arg0==5",
                              "if:arg1==",
                              "if:arg1==0x",
                              "if:arg1==5x",
                              "if:==5",
                              "if:arg1==99999999999999999999",
                              "if:arg1/s==5",
                              "if:fparg1==5",
                              "if:retval==5",
                              "if:arg1>5",
                              "trace-on,trace-off",
                              "trace-on,finish"})
        EXPECT_NE(mistake_in(wrong).why, nullptr) << wrong;
}

}  // namespace
}  // namespace mipstrace::triggers
