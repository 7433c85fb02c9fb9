#include "lib/control/protocol.h"

#include <gtest/gtest.h>

#include <string>

namespace mipstrace::control {
namespace {

struct Parsed {
    const char* error;
    Request request;
};

Parsed parse(std::string_view line) {
    Parsed parsed{nullptr, {}};
    parsed.error = parse_request(line, &parsed.request);
    return parsed;
}

void expect_command(std::string_view line, Command command, std::string_view argument) {
    const Parsed parsed = parse(line);
    EXPECT_EQ(parsed.error, nullptr) << line;
    EXPECT_EQ(parsed.request.command, command) << line;
    EXPECT_EQ(parsed.request.argument, argument) << line;
}

TEST(ControlProtocol, Commands) {
    expect_command("on", Command::on, "");
    expect_command("off", Command::off, "");
    expect_command("toggle", Command::toggle, "");
    expect_command("status", Command::status, "");
    expect_command("filter", Command::filter, "");
    expect_command("filter operator new*;main@prog", Command::filter, "operator new*;main@prog");
    expect_command("notrace  std::*", Command::notrace, "std::*");
    expect_command("depth 3", Command::depth, "3");
    expect_command("depth", Command::depth, "");
    expect_command("time 1.5ms", Command::time, "1.5ms");
    expect_command("users", Command::users, "");
    expect_command("users remove me", Command::users, "remove me");
    expect_command("trigger f@finish", Command::trigger, "f@finish");
    expect_command("snapshot", Command::snapshot, "");
    expect_command("marker half of it", Command::marker, "half of it");
    expect_command("replace f(int, char)=/a b/l.so:g", Command::replace,
                   "f(int, char)=/a b/l.so:g");
    expect_command("restore f(int, char)", Command::restore, "f(int, char)");
}

TEST(ControlProtocol, BlanksAroundAndACarriageReturnDoNotCount) {
    expect_command("  marker  a  b  \r", Command::marker, "a  b");
    expect_command("on ", Command::on, "");
}

TEST(ControlProtocol, TextInUtf8Passes) {
    expect_command("marker \xc3\xa4", Command::marker, "\xc3\xa4");
}

TEST(ControlProtocol, WhatIsWrongIsSaid) {
    EXPECT_STREQ(parse("").error, "the request is empty");
    EXPECT_STREQ(parse("   \r").error, "the request is empty");
    EXPECT_STREQ(parse("ON").error, "there is no such command");
    EXPECT_STREQ(parse("onward").error, "there is no such command");
    EXPECT_STREQ(parse("on 1").error, "this command takes no argument");
    EXPECT_STREQ(parse("marker").error, "this command needs an argument");
    EXPECT_STREQ(parse("marker  ").error, "this command needs an argument");
    for (const char c : {'\0', '\t', '\r', '\x1b', '\x7f'})
        EXPECT_STREQ(parse(std::string("marker a") + c + "b").error,
                     "the request holds a control character");
}

TEST(ControlProtocol, ALineIsAsLongAsItMayBe) {
    const std::string longest = "marker " + std::string(kLongestRequest - 8, 'x');
    EXPECT_EQ(parse(longest).error, nullptr);
    EXPECT_STREQ(parse(longest + "x").error, "the request is too long");
}

TEST(ControlReply, CollectsTextAndNumbers) {
    char memory[64];
    Reply reply(memory, sizeof memory);
    reply << "ok\n"
          << "functions: " << uint64_t(12) << "\n";
    EXPECT_EQ(reply.text(), "ok\nfunctions: 12\n");
}

TEST(ControlReply, AnErrorTakesThePlaceOfWhatWasSaid) {
    char memory[64];
    Reply reply(memory, sizeof memory);
    reply << "ok\n";
    reply.error("no function matches ") << "f*"
                                        << "\n";
    EXPECT_EQ(reply.text(), "error no function matches f*\n");
}

TEST(ControlReply, IsCutBehindAWholeLine) {
    char memory[10];
    Reply reply(memory, sizeof memory);
    reply << "ok\nfile: "
          << "/too/long\n"
          << "x\n";
    EXPECT_EQ(reply.text(), "ok\n");
}

}  // namespace
}  // namespace mipstrace::control
