// What -A and -R say, and where the ABIs have it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/values/parse.h"
#include "lib/values/place.h"

namespace mipstrace::values {
namespace {

constexpr AbiRules kO32{1, true};
constexpr AbiRules kN32{2, true};
constexpr AbiRules kN64{3, true};

TEST(SplitRule, FindsFunctionModuleAndValues) {
    struct Case {
        std::string_view text, function, module, values;
    };
    for (const Case& c : std::vector<Case>{
             {"f@arg1", "f", "", "arg1"},
             {"f*@arg1/i32,retval", "f*", "", "arg1/i32,retval"},
             {"f@libx.so@arg1/s", "f", "libx.so", "arg1/s"},
             {"f@libx.so,fparg2", "f", "libx.so", "fparg2"},
             {"f@arguments.so,arg2", "f", "arguments.so", "arg2"},
             {"f@libx.so", "f", "libx.so", ""},
             {"ns::f(int)", "ns::f(int)", "", ""},
             {"@libx.so@retval", "", "libx.so", "retval"},
         }) {
        const Rule rule = split_rule(c.text);
        EXPECT_EQ(rule.function, c.function) << c.text;
        EXPECT_EQ(rule.module, c.module) << c.text;
        EXPECT_EQ(rule.values, c.values) << c.text;
    }
}

TEST(ParseValue, ReadsFormatsAndSizes) {
    struct Case {
        const char* text;
        char format;
        unsigned size, index;
    };
    for (const Case& c : std::vector<Case>{
             {"arg1", 'd', 0, 1},
             {"arg64/i", 'i', 0, 64},
             {"arg2/i8", 'i', 1, 2},
             {"arg2/u16", 'u', 2, 2},
             {"arg2/x32", 'x', 4, 2},
             {"arg2/64", 'd', 8, 2},
             {"arg3/s", 's', 0, 3},
             {"arg3/S", 'S', 0, 3},
             {"arg3/c", 'c', 0, 3},
             {"fparg1", 'f', 0, 1},
             {"fparg1/32", 'f', 4, 1},
             {"fparg1/f64", 'f', 8, 1},
             {"fparg1/80", 'f', 16, 1},
             {"arg5/t96", 't', 12, 5},
             {"arg5/t128fi", 't', 16, 5},
             {"retval", 'd', 0, kReturned},
             {"retval/f32", 'f', 4, kReturned},
             {"retval/p", 'p', 0, kReturned},
         }) {
        Value value;
        std::string_view enumeration;
        EXPECT_EQ(parse_value(c.text, &value, &enumeration), nullptr) << c.text;
        EXPECT_EQ(value.format, c.format) << c.text;
        EXPECT_EQ(value.size, c.size) << c.text;
        EXPECT_EQ(value.index, c.index) << c.text;
    }
    Value value;
    std::string_view enumeration;
    EXPECT_EQ(parse_value("arg1/e:ns::color", &value, &enumeration), nullptr);
    EXPECT_EQ(enumeration, "ns::color");
    EXPECT_EQ(parse_value("arg5/t128if", &value, &enumeration), nullptr);
    EXPECT_EQ(value.floating_part, 2);
}

TEST(ParseValue, SaysWhatIsWrong) {
    for (const char* text :
         {"",          "arg",       "arg0",      "arg65",      "arg99999999999", "argx",
          "args",      "fp",        "fparg",     "fparg0",     "fpretval",       "arg1/",
          "arg1/q",    "arg1/i7",   "arg1/i128", "arg1/s8",    "arg1/e",         "arg1/e:",
          "arg1/t",    "arg1/t0",   "arg1/t7",   "arg1/t520",  "arg1/t64iii",    "arg1/t64q",
          "fparg1/s",  "fparg1/16", "arg1i32",   "arg1/i32x",  "arg1%",          "arg1%r4",
          "arg1%a8",   "arg1%f11",  "arg1%f20",  "arg1%stack", "arg1%stack+0",   "arg1%stack+65",
          "retval%a0", "retval1",   "arg1,arg2"}) {
        Value value;
        std::string_view enumeration;
        EXPECT_NE(parse_value(text, &value, &enumeration), nullptr) << text;
    }
}

TEST(ParseValues, EndsAtTheFirstThatIsWrong) {
    std::string_view wrong;
    std::string seen;
    auto visit = [&](const Value& value, std::string_view) { seen += value.format; };
    EXPECT_EQ(parse_values("arg1/i,arg2/s,retval/x", &wrong, visit), nullptr);
    EXPECT_EQ(seen, "isx");
    EXPECT_NE(parse_values("arg1/i,,retval/x", &wrong, visit), nullptr);
    EXPECT_EQ(wrong, "");
    std::string many = "arg1";
    for (unsigned i = 1; i < kMostValues; i++)
        many += ",arg1";
    EXPECT_EQ(parse_values(many, &wrong, visit), nullptr);
    EXPECT_NE(parse_values(many + ",arg1", &wrong, visit), nullptr);
}

// Each place as "3" for a slot, "f12" for a floating-point register.
std::string places(const AbiRules& rules, const char* text) {
    std::vector<Value> all;
    std::string_view wrong;
    EXPECT_EQ(parse_values(text, &wrong,
                           [&](const Value& value, std::string_view) { all.push_back(value); }),
              nullptr)
        << text;
    place_values(rules, all.data(), all.size());
    std::string found;
    for (const Value& value : all) {
        if (!found.empty()) found += ' ';
        found += value.in_fpr ? "f" + std::to_string(value.reg) : std::to_string(value.slot);
    }
    return found;
}

TEST(PlaceValues, N64CountsSlots) {
    EXPECT_EQ(places(kN64, "arg1,arg2/s,fparg3,arg8,arg9"), "0 1 f14 7 8");
    EXPECT_EQ(places(kN64, "fparg3/32"), "f14");
    EXPECT_EQ(places(kN64, "fparg9,fparg10/32"), "8 9");
    EXPECT_EQ(places(kN64, "arg1,fparg2/80,arg3"), "0 f14 4");  // at an even one
    EXPECT_EQ(places(kN64, "arg1/t128,arg2,arg3/t136,arg4"), "0 2 3 6");
    EXPECT_EQ(places(kN32, "arg1/i64,fparg2"), "0 f13");
    EXPECT_EQ(places(kN64, "arg1%a3,fparg1%f15,arg2%stack+2,arg1"), "3 f15 9 0");
}

TEST(PlaceValues, O32CountsWords) {
    EXPECT_EQ(places(kO32, "arg1,arg2/i64,arg3"), "0 2 4");
    EXPECT_EQ(places(kO32, "arg3,arg5"), "2 4");
    EXPECT_EQ(places(kO32, "fparg1,fparg2,fparg3"), "f12 f14 4");
    EXPECT_EQ(places(kO32, "fparg1/32,fparg2/32,arg3"), "f12 f14 2");
    EXPECT_EQ(places(kO32, "fparg1/32,fparg2"), "f12 f14");
    EXPECT_EQ(places(kO32, "arg1,fparg2"), "0 2");
    EXPECT_EQ(places(kO32, "fparg1,arg2,fparg3"), "f12 2 4");
    EXPECT_EQ(places(kO32, "arg1%stack+1"), "4");
}

TEST(PlaceValues, SoftFloatHasNoSuchRegisters) {
    EXPECT_EQ(places({3, false}, "fparg1,arg2,fparg3/32,fparg1%f12"), "0 1 2 0");
    EXPECT_EQ(places({1, false}, "fparg1,fparg2"), "0 2");
}

TEST(PlaceValues, SizesAreTheAbis) {
    Value value;
    std::string_view enumeration;
    for (const auto& [text, o32, n32, n64] :
         std::vector<std::tuple<const char*, unsigned, unsigned, unsigned>>{
             {"arg1", 4, 4, 8},
             {"arg1/p", 4, 4, 8},
             {"arg1/e:x", 4, 4, 4},
             {"arg1/c", 1, 1, 1},
             {"retval/f", 8, 8, 8},
             {"fparg1/80", 8, 16, 16}}) {
        for (const auto& [rules, size] : {std::pair(kO32, o32), {kN32, n32}, {kN64, n64}}) {
            EXPECT_EQ(parse_value(text, &value, &enumeration), nullptr);
            place_values(rules, &value, 1);
            EXPECT_EQ(value.size, size) << text;
        }
    }
}

}  // namespace
}  // namespace mipstrace::values
