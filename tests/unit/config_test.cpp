#include "lib/runtime/config.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <vector>

#include "tests/unit/captured_stderr.h"

namespace mipstrace::runtime {
namespace {

struct Read {
    Config config;
    std::string said;
};

Read read(std::vector<const char*> environment) {
    environment.push_back(nullptr);
    CapturedStderr captured;
    Config config = read_config(environment.data());
    return {config, captured.take()};
}

void expect_defaults(const Config& config) {
    EXPECT_EQ(config.directory, nullptr);
    EXPECT_STREQ(config.filter, "");
    EXPECT_STREQ(config.notrace, "");
    EXPECT_EQ(config.clock, format::ClockId::mono);
    EXPECT_FALSE(config.clock_forced);
    EXPECT_EQ(config.max_depth, 0u);
    EXPECT_EQ(config.min_duration_ns, 0u);
    EXPECT_EQ(config.max_stack, kDefaultMaxStack);
    EXPECT_EQ(config.buffer, 0u);
    EXPECT_EQ(config.max_size, 0u);
    EXPECT_EQ(config.snapshot_signal, 0);
    EXPECT_FALSE(config.off);
    EXPECT_EQ(config.toggle_signal, 0);
    EXPECT_EQ(config.control_signal, SIGURG);
    EXPECT_FALSE(config.verbose);
}

TEST(Config, DefaultsWithoutVariables) {
    expect_defaults(read_config(nullptr));
    auto [config, said] = read({"PATH=/bin", "MIPSTRACE_", "MIPSTRACE", "XMIPSTRACE_DEPTH=3", ""});
    expect_defaults(config);
    EXPECT_EQ(said, "");
}

TEST(Config, AllVariables) {
    auto [config, said] = read({
        "MIPSTRACE_DATA=/var/trace",
        "MIPSTRACE_FILTER=a*;b@lib=c",
        "MIPSTRACE_NOTRACE=x",
        "MIPSTRACE_CLOCK=cycles",
        "MIPSTRACE_DEPTH=12",
        "MIPSTRACE_TIME=5000000000",
        "MIPSTRACE_MAX_STACK=1024",
        "MIPSTRACE_BUFFER=64M",
        "MIPSTRACE_SNAPSHOT_SIGNAL=USR2",
        "MIPSTRACE_OFF=1",
        "MIPSTRACE_TOGGLE_SIGNAL=USR1",
        "MIPSTRACE_CONTROL=WINCH",
        "MIPSTRACE_VERBOSE=1",
    });
    EXPECT_STREQ(config.directory, "/var/trace");
    EXPECT_STREQ(config.filter, "a*;b@lib=c");
    EXPECT_STREQ(config.notrace, "x");
    EXPECT_EQ(config.clock, format::ClockId::cycles);
    EXPECT_FALSE(config.clock_forced);
    EXPECT_EQ(config.max_depth, 12u);
    EXPECT_EQ(config.min_duration_ns, 5'000'000'000u);
    EXPECT_EQ(config.max_stack, 1024u);
    EXPECT_EQ(config.buffer, 64u << 20);
    EXPECT_EQ(config.snapshot_signal, SIGUSR2);
    EXPECT_TRUE(config.off);
    EXPECT_EQ(config.toggle_signal, SIGUSR1);
    EXPECT_EQ(config.control_signal, SIGWINCH);
    EXPECT_TRUE(config.verbose);
    EXPECT_EQ(said, "");
}

TEST(Config, EmptyValues) {
    auto [config, said] = read({"MIPSTRACE_DATA=", "MIPSTRACE_FILTER=", "MIPSTRACE_NOTRACE="});
    expect_defaults(config);
    EXPECT_EQ(said, "");
}

TEST(Config, Clocks) {
    EXPECT_EQ(read({"MIPSTRACE_CLOCK=mono"}).config.clock, format::ClockId::mono);
    auto [config, said] = read({"MIPSTRACE_CLOCK=cycles:force"});
    EXPECT_EQ(config.clock, format::ClockId::cycles);
    EXPECT_TRUE(config.clock_forced);
    EXPECT_EQ(said, "");
}

TEST(Config, Switches) {
    EXPECT_FALSE(read({"MIPSTRACE_VERBOSE=0"}).config.verbose);
    EXPECT_TRUE(read({"MIPSTRACE_VERBOSE=yes"}).config.verbose);
    EXPECT_FALSE(read({"MIPSTRACE_OFF=no"}).config.off);
    EXPECT_FALSE(read({"MIPSTRACE_OFF="}).config.off);
}

TEST(Config, LimitsOfNumbers) {
    EXPECT_EQ(read({"MIPSTRACE_DEPTH=1"}).config.max_depth, 1u);
    EXPECT_EQ(read({"MIPSTRACE_DEPTH=2147483647"}).config.max_depth, 2147483647u);
    EXPECT_EQ(read({"MIPSTRACE_MAX_STACK=16"}).config.max_stack, 16u);
    EXPECT_EQ(read({"MIPSTRACE_MAX_STACK=16777216"}).config.max_stack, 16777216u);
    EXPECT_EQ(read({"MIPSTRACE_TIME=0"}).said, "");
    EXPECT_EQ(read({"MIPSTRACE_TIME=007"}).config.min_duration_ns, 7u);
}

TEST(Config, AValueThatMakesNoSenseIsReportedAndIgnored) {
    for (const char* variable : {
             "MIPSTRACE_CLOCK=",
             "MIPSTRACE_CLOCK=Mono",
             "MIPSTRACE_CLOCK=cycles:",
             "MIPSTRACE_CLOCK=tsc",
             "MIPSTRACE_DEPTH=",
             "MIPSTRACE_DEPTH=0",
             "MIPSTRACE_DEPTH=-1",
             "MIPSTRACE_DEPTH=+1",
             "MIPSTRACE_DEPTH= 1",
             "MIPSTRACE_DEPTH=1 ",
             "MIPSTRACE_DEPTH=0x10",
             "MIPSTRACE_DEPTH=ten",
             "MIPSTRACE_DEPTH=2147483648",
             "MIPSTRACE_DEPTH=4294967297",
             "MIPSTRACE_DEPTH=99999999999999999999999999",
             "MIPSTRACE_TIME=",
             "MIPSTRACE_TIME=5ms",
             "MIPSTRACE_TIME=18446744073709551615",
             "MIPSTRACE_TIME=18446744073709551617",
             "MIPSTRACE_MAX_STACK=15",
             "MIPSTRACE_MAX_STACK=16777217",
             "MIPSTRACE_MAX_STACK=lots",
             "MIPSTRACE_BUFFER=",
             "MIPSTRACE_BUFFER=M",
             "MIPSTRACE_BUFFER=64MB",
             "MIPSTRACE_BUFFER=-64M",
             "MIPSTRACE_BUFFER=1.5M",
             "MIPSTRACE_BUFFER=255K",
             "MIPSTRACE_BUFFER=5G",
             "MIPSTRACE_BUFFER=18446744073709551616",
             "MIPSTRACE_BUFFER=17179869185G",
             "MIPSTRACE_MAX_SIZE=127K",
             "MIPSTRACE_MAX_SIZE=0",
             "MIPSTRACE_SNAPSHOT_SIGNAL=",
             "MIPSTRACE_SNAPSHOT_SIGNAL=KILL",
             "MIPSTRACE_SNAPSHOT_SIGNAL=SEGV",
             "MIPSTRACE_SNAPSHOT_SIGNAL=17",
             "MIPSTRACE_SNAPSHOT_SIGNAL=usr2",
             "MIPSTRACE_TOGGLE_SIGNAL=KILL",
             "MIPSTRACE_TOGGLE_SIGNAL=",
             "MIPSTRACE_CONTROL=",
             "MIPSTRACE_CONTROL=USR1",
             "MIPSTRACE_OFF=2",
             "MIPSTRACE_ARCS=maybe",
         }) {
        SCOPED_TRACE(variable);
        auto [config, said] = read({variable, "MIPSTRACE_VERBOSE=0"});
        expect_defaults(config);
        EXPECT_EQ(said.substr(0, 11), "mipstrace: ");
        EXPECT_NE(said.find(variable), std::string::npos) << said;
        EXPECT_EQ(said.find('\n'), said.size() - 1) << "one line: " << said;
    }
}

TEST(Config, SaysWhatATimeIsIn) {
    EXPECT_NE(read({"MIPSTRACE_TIME=1ms"}).said.find("1000000 for 1 ms"), std::string::npos);
}

TEST(Config, Sizes) {
    EXPECT_EQ(read({"MIPSTRACE_BUFFER=262144"}).config.buffer, 262144u);
    EXPECT_EQ(read({"MIPSTRACE_BUFFER=256k"}).config.buffer, 262144u);
    EXPECT_EQ(read({"MIPSTRACE_BUFFER=4G"}).config.buffer, uint64_t(4) << 30);
    EXPECT_EQ(read({"MIPSTRACE_MAX_SIZE=128K"}).config.max_size, 131072u);
    EXPECT_EQ(read({"MIPSTRACE_MAX_SIZE=2g"}).config.max_size, uint64_t(2) << 30);
}

TEST(Config, WhatContradictsItselfIsReported) {
    auto [config, said] = read({"MIPSTRACE_MAX_SIZE=1M", "MIPSTRACE_BUFFER=2M"});
    EXPECT_EQ(config.buffer, 2u << 20);
    EXPECT_EQ(config.max_size, 0u);
    EXPECT_NE(said.find("MIPSTRACE_MAX_SIZE"), std::string::npos) << said;
    auto [alone, told] = read({"MIPSTRACE_SNAPSHOT_SIGNAL=SIGWINCH"});
    EXPECT_EQ(alone.snapshot_signal, 0);
    EXPECT_NE(told.find("needs MIPSTRACE_BUFFER"), std::string::npos) << told;
    auto [unasked, heard] = read({"MIPSTRACE_HISTOGRAM=1"});
    EXPECT_FALSE(unasked.histogram);
    EXPECT_NE(heard.find("needs MIPSTRACE_ARCS"), std::string::npos) << heard;
}

TEST(Config, CallArcs) {
    auto [config, said] =
        read({"MIPSTRACE_ARCS=1", "MIPSTRACE_HISTOGRAM=1", "MIPSTRACE_SNAPSHOT_SIGNAL=USR2"});
    EXPECT_TRUE(config.arcs);
    EXPECT_TRUE(config.histogram);
    EXPECT_NE(config.snapshot_signal, 0);
    EXPECT_EQ(said, "");
    EXPECT_FALSE(read({"MIPSTRACE_ARCS=0"}).config.arcs);
}

TEST(Config, SignalsDoNotMeanTwoThings) {
    auto [config, said] = read({"MIPSTRACE_BUFFER=1M", "MIPSTRACE_SNAPSHOT_SIGNAL=USR2",
                                "MIPSTRACE_TOGGLE_SIGNAL=SIGUSR2"});
    EXPECT_EQ(config.snapshot_signal, SIGUSR2);
    EXPECT_EQ(config.toggle_signal, 0);
    EXPECT_NE(said.find("MIPSTRACE_TOGGLE_SIGNAL"), std::string::npos) << said;
    // The control socket gives way.
    EXPECT_EQ(read({"MIPSTRACE_TOGGLE_SIGNAL=URG"}).config.control_signal, SIGWINCH);
    EXPECT_EQ(
        read({"MIPSTRACE_TOGGLE_SIGNAL=WINCH", "MIPSTRACE_CONTROL=WINCH"}).config.control_signal,
        SIGURG);
    EXPECT_EQ(read({"MIPSTRACE_CONTROL=no"}).config.control_signal, 0);
}

TEST(Config, WhatIsMisspeltHasSomethingNear) {
    const auto [config, said] = read({"MIPSTRACE_FITLER=f", "MIPSTRACE_DEPHT=2"});
    expect_defaults(config);
    EXPECT_NE(
        said.find("MIPSTRACE_FITLER is not known and ignored; did you mean MIPSTRACE_FILTER?"),
        std::string::npos)
        << said;
    EXPECT_NE(said.find("did you mean MIPSTRACE_DEPTH?"), std::string::npos) << said;
    EXPECT_EQ(read({"MIPSTRACE_OF_MY_OWN=1", "MIPSTRACE_SYSROOT=/"}).said, "");
}

TEST(Config, ABadValueLeavesTheOthers) {
    auto [config, said] = read({"MIPSTRACE_DEPTH=x", "MIPSTRACE_FILTER=f"});
    EXPECT_STREQ(config.filter, "f");
    EXPECT_EQ(config.max_depth, 0u);
}

}  // namespace
}  // namespace mipstrace::runtime
