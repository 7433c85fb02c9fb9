// Arguments and return values in a recording, as replay shows them.
#include <fcntl.h>
#include <gtest/gtest.h>

#include "lib/base/unique_fd.h"
#include "tests/unit/trace_builder.h"
#include "tools/replay/replay.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

constexpr uint32_t kF = 0x10000;

std::string replay_of(TraceBuilder& trace, int status = 0) {
    TemporaryFile file(trace.bytes());
    ViewOptions options;
    options.input = file.path();
    ReplayOptions how;
    how.fields.clear();
    TemporaryFile out("", ".out");
    UniqueFd fd(open(out.path().c_str(), O_WRONLY | O_TRUNC));
    View view(options);
    EXPECT_EQ(replay(view, how, fd.get()), status);
    return out.content();
}

// A record's values, in the byte order of the trace.
class Values {
  public:
    explicit Values(bool swap) : swap_(swap) {}
    template <typename T>
    Values& add(T number) {
        auto bits = std::make_unsigned_t<T>(number);
        if (swap_) bits = tools::swapped(bits);
        text_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
        return *this;
    }
    Values& string(const std::string& bytes, format::StringState state) {
        add(uint16_t(bytes.size())).add(uint16_t(state));
        text_ += bytes;
        text_.resize((text_.size() + 3) / 4 * 4);
        return *this;
    }
    const std::string& text() const { return text_; }

  private:
    bool swap_;
    std::string text_;
};

void rule(TraceBuilder& trace, uint32_t number, const std::string& text, bool swap = false) {
    trace.metadata(format::MetaType::rule, Values(swap).add(number).add(0u).text() + text);
}

// A call of a function whose arguments and return value are by these rules.
std::string shown(const std::string& arguments, const Values& entry, const std::string& retval,
                  const Values& exit, bool swap = false, uint8_t abi = 3) {
    TraceBuilder trace(swap);
    trace.header.abi = abi;
    trace.module("/nowhere/a", 0x10000, 0x1000, 0x2000);
    rule(trace, 7, arguments, swap);
    rule(trace, 8, retval, swap);
    trace.metadata(format::MetaType::enumeration, "color RED=1,GREEN=2,BLUE=4,DARK=-1");
    trace.chunk(100, 0, 1000);
    trace.values(1000, kF, 0, Values(swap).add(7u).text() + entry.text());
    trace.values(2000, kF | 1, 0, Values(swap).add(8u).text() + exit.text());
    return replay_of(trace);
}

class ByteOrder : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Values, ByteOrder, testing::Bool());

TEST_P(ByteOrder, Integers) {
    const bool swap = GetParam();
    EXPECT_EQ(shown("arg1,arg2/i8,arg3/u16,arg4/x32,arg5/o,arg6/i64",
                    Values(swap)
                        .add(int64_t(-5))
                        .add(0xfffu)
                        .add(0x1ffffu)
                        .add(0xabcdef01)
                        .add(uint64_t(8))
                        .add(int64_t(-5'000'000'000)),
                    "retval", Values(swap).add(uint64_t(0x123456789)), swap),
              "a+0x2000(-5, -1, 65535, 0xabcdef01, 010, -5000000000) = 0x123456789;\n");
}

TEST_P(ByteOrder, StringsAndCharacters) {
    const bool swap = GetParam();
    const std::string pointer = Values(swap).add(uint64_t(0xdeadbeef)).text();
    EXPECT_EQ(
        shown("arg1/s,arg2/S,arg3/s,arg4/s,arg5/c,arg6/c",
              Values(swap)
                  .string("a\"b\n\x1b", format::StringState::whole)
                  .string("long", format::StringState::cut)
                  .string("", format::StringState::null)
                  .string(pointer, format::StringState::unreadable)
                  .add(uint32_t('x'))
                  .add(uint32_t('\'')),
              "retval/b", Values(swap).add(1u), swap),
        "a+0x2000(\"a\\\"b\\n\\x1b\", \"long\"..., NULL, <0xdeadbeef>, 'x', '\\'') = true;\n");
}

TEST_P(ByteOrder, FloatingAndEnumerations) {
    const bool swap = GetParam();
    Values quad(swap);  // 1.5, of an ABI whose long double has 16 bytes
    const bool is_big = swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    const uint64_t high = 0x3fff8000'00000000;
    quad.add(0x40490fdbu).add(0xc00921fb54442d18).add(is_big ? high : 0).add(is_big ? 0 : high);
    quad.add(2u).add(5u).add(8u).add(uint32_t(-1));
    EXPECT_EQ(shown("fparg1/32,fparg2/64,fparg3/80,arg4/e:color,arg5/e:color,arg6/e:color,"
                    "arg7/e:color,arg8/e:unknown",
                    quad.add(3u), "retval/f", Values(swap).add(0x4000000000000000), swap),
              "a+0x2000(3.1415927, -3.141592653589793, 1.5, GREEN, RED|BLUE, 8, DARK, 3) = 2.0;\n");
}

TEST_P(ByteOrder, PointersAndStructures) {
    const bool swap = GetParam();
    EXPECT_EQ(shown("arg1/p,arg2/p,arg3/t128",
                    Values(swap)
                        .add(uint64_t(0x2010))
                        .add(uint64_t(0x7fff0000))
                        .add(uint64_t(0xfffffffe00000001))
                        .add(uint64_t(5)),
                    "retval/t32", Values(swap).add(0x10u), swap),
              "a+0x2000(&a+0x2010, 0x7fff0000, {0xfffffffe00000001, 0x5}) = {0x10};\n");
}

TEST(Values, OfShortWords) {
    EXPECT_EQ(shown("arg1,arg2/p,arg3/t64", Values(false).add(-1).add(0x2010u).add(1u).add(2u),
                    "retval/i", Values(false).add(-2), false, 1),
              "a+0x2000(-1, &a+0x2010, {0x1, 0x2}) = -2;\n");
}

// The last one that was given counts, and arguments stand in their order.
TEST(Values, OfSeveralRules) {
    TraceBuilder trace;
    trace.module("/nowhere/a", 0x10000, 0x1000);
    rule(trace, 1, "arg2/x,retval/x");
    rule(trace, 2, "arg2/i,arg1/i,retval/u");
    trace.chunk(100, 0, 1000);
    const std::string entry =
        Values(false).add(1u).add(uint64_t(16)).add(2u).add(uint64_t(16)).add(uint64_t(15)).text();
    trace.values(1000, kF, 0, entry);
    trace.enter(1100, 0x10010);
    trace.leave(1200, 0x10010);
    trace.values(2000, kF | 1, 0,
                 Values(false).add(1u).add(uint64_t(9)).add(2u).add(uint64_t(9)).text());
    EXPECT_EQ(replay_of(trace),
              "a+0x0(15, 16) {\n"
              "  a+0x10();\n"
              "} = 9; /* a+0x0 */\n");
}

TEST(Values, OnAnotherStack) {
    TraceBuilder trace;
    trace.module("/nowhere/a", 0x10000, 0x1000);
    rule(trace, 1, "arg1/i");
    trace.chunk(100, 0, 1000);
    trace.enter(1000, 0x10010);
    trace.values(1001, kF, format::kFirstOnStack, Values(false).add(1u).add(uint64_t(3)).text());
    trace.switched(1002, 0x10011, 1);
    trace.leave(1003, kF);
    EXPECT_EQ(replay_of(trace),
              "a+0x10() {\n"
              "  /* stack 1 */\n"
              "  a+0x0(3) {\n"
              "/* stack 0 */\n"
              "} /* a+0x10 */\n"
              "  /* stack 1 */\n"
              "  } /* a+0x0 */\n");
}

// Whatever stands there: the call is shown, with what can be read.
TEST(Values, Damaged) {
    TraceBuilder trace;
    trace.module("/nowhere/a", 0x10000, 0x1000);
    rule(trace, 1, "arg1/i,arg2/s");
    trace.metadata(format::MetaType::enumeration, "color");
    trace.metadata(format::MetaType::enumeration, "color \x1b[31mRED=0,=,GREEN=x,BLUE");
    rule(trace, 5, "arg1/e:color");
    trace.chunk(100, 0, 1000);
    auto call = [&, time = 1000](const Values& values) mutable {
        trace.values(time++, kF, 0, values.text());
        trace.leave(time++, kF);
    };
    call(Values(false).add(1u).add(uint64_t(3)).add(uint16_t(9999)).add(uint16_t(0)));
    call(Values(false).add(1u).add(uint64_t(3)));
    call(Values(false).add(99u).add(uint64_t(3)));
    call(Values(false));
    call(Values(false).add(5u).add(0u));
    EXPECT_EQ(replay_of(trace),
              "a+0x0(3);\na+0x0(3, \"\");\na+0x0();\na+0x0();\na+0x0(\\x1b[31mRED);\n");
}

}  // namespace
}  // namespace mipstrace::tools
