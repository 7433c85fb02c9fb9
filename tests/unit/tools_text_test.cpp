#include <gtest/gtest.h>

#include "tools/model/demangle.h"
#include "tools/model/position_map.h"
#include "tools/model/session.h"
#include "tools/text/csv.h"
#include "tools/text/printable.h"
#include "tools/text/time_text.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {
namespace {

TEST(Wording, CountsOneAndMany) {
    EXPECT_EQ(counted(0, "chunk"), "0 chunks");
    EXPECT_EQ(counted(1, "chunk"), "1 chunk");
    EXPECT_EQ(counted(2, "chunk"), "2 chunks");
}

TEST(TimeText, ChoosesTheUnit) {
    EXPECT_EQ(time_text(0), "  0.000 us");
    EXPECT_EQ(time_text(12'345), " 12.345 us");
    EXPECT_EQ(time_text(999'999), "999.999 us");
    EXPECT_EQ(time_text(1'000'000), "  1.000 ms");
    EXPECT_EQ(time_text(59'999'999'999), " 59.999  s");
    EXPECT_EQ(time_text(90'000'000'000), "  1.500  m");
    EXPECT_EQ(time_text(7'200'000'000'000), "  2.000  h");
    EXPECT_LT(time_text(~uint64_t(0)).size(), 20u);
}

TEST(TimeText, ParsesWhatAPersonTypes) {
    EXPECT_EQ(parse_time("100"), 100u);
    EXPECT_EQ(parse_time("5us"), 5'000u);
    EXPECT_EQ(parse_time("1.5ms"), 1'500'000u);
    EXPECT_EQ(parse_time("2s"), 2'000'000'000u);
    EXPECT_EQ(parse_time("1m"), 60'000'000'000u);
    for (const char* wrong : {"", "us", "5 us", "-1", "1.2.3", "5x", "1e3", "99999999999s", "."})
        EXPECT_FALSE(parse_time(wrong)) << wrong;
}

TEST(Csv, QuotesWhatNeedsIt) {
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("f(int, int)"), "\"f(int, int)\"");
    EXPECT_EQ(csv_field("operator\"\"_x"), "\"operator\"\"\"\"_x\"");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(Printable, EscapesControlCharacters) {
    EXPECT_EQ(printable("f(int) \\ \xc3\xa9 \xc2\xa0"), "f(int) \\ \xc3\xa9 \xc2\xa0");
    EXPECT_EQ(printable("a\x1b]0;x\a\n\x7f"), "a\\x1b]0;x\\x07\\x0a\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J\xc2"),
              "\\xc2\\x9b2J\xc2");
    EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
}

TEST(Demangle, AsMuchAsIsAskedFor) {
    EXPECT_EQ(demangled("_ZN2ns1fEi", Demangle::full), "ns::f(int)");
    EXPECT_EQ(demangled("_ZN2ns1fEi", Demangle::simple), "ns::f");
    EXPECT_EQ(demangled("_ZN2ns1fEi", Demangle::no), "_ZN2ns1fEi");
    EXPECT_EQ(demangled("_ZN2ns5twiceIiEET_S1_", Demangle::full), "int ns::twice<int>(int)");
    EXPECT_EQ(demangled("_ZN2ns5twiceIiEET_S1_", Demangle::simple), "ns::twice<int>");
    EXPECT_EQ(demangled("_ZNK1TcviEv", Demangle::simple), "T::operator int");
    EXPECT_EQ(demangled("_ZN12_GLOBAL__N_11fEi", Demangle::simple), "(anonymous namespace)::f");
    EXPECT_EQ(demangled("main", Demangle::full), "main");
    EXPECT_EQ(demangled("_Zebra", Demangle::full), "_Zebra");
}

TEST(Demangle, LeavesANameThatWouldGrowWithoutEnd) {
    std::string name = "_Z1f1AIiiE";
    for (int i = 0; i < 16; i++) {
        const std::string last =
            std::string("S") + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[2 * i] + "_";
        name += std::string("1") + char('B' + i) + "I" + last + last + "E";
    }
    EXPECT_EQ(demangled(name, Demangle::full), name);
}

TEST(PositionMap, FindsWhatWasPutIn) {
    PositionMap map;
    for (uint32_t i = 0; i < 10000; i++) {
        EXPECT_EQ(map.find(i * 4), PositionMap::kNone);
        map.insert(i * 4, i);
    }
    for (uint32_t i = 0; i < 10000; i++)
        EXPECT_EQ(map.find(i * 4), i);
    EXPECT_EQ(map.find(40000), PositionMap::kNone);
}

TEST(SessionInfo, SurvivesJson) {
    SessionInfo info;
    info.command = {"prog", "a b", "\"", "\xff"};
    info.sysroot = "/sys";
    info.signal = 9;
    info.options = {{"filter", "a;b"}};
    SessionInfo again;
    ASSERT_TRUE(again.from_json(info.to_json()));
    EXPECT_EQ(again.command[1], "a b");
    EXPECT_EQ(again.command.size(), 4u);
    EXPECT_EQ(again.sysroot, "/sys");
    EXPECT_EQ(again.signal, 9);
    EXPECT_FALSE(again.exit_status);
    EXPECT_EQ(again.options, info.options);
}

TEST(SessionInfo, OddJson) {
    for (const char* text : {"", "[]", "{", "1", "nul"}) {
        SessionInfo info;
        EXPECT_FALSE(info.from_json(text)) << text;
    }
    SessionInfo info;
    EXPECT_TRUE(info.from_json(R"({"command": 1, "signal": "x", "options": [], "sysroot": {}})"));
    EXPECT_TRUE(info.command.empty());
}

TEST(Wording, SitesByReason) {
    SiteCounts sites{};
    sites[0] = 10;
    EXPECT_EQ(sites_sentence(sites), "10 sites found: 10 ready, 0 skipped");
    sites[2] = 2;
    EXPECT_EQ(sites_sentence(sites),
              "12 sites found: 10 ready, 2 skipped (2 short_sled: fewer than three nops)");
}

}  // namespace
}  // namespace mipstrace::tools
