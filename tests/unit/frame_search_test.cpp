// Ways from code to the caller. tests/unwind compares what compilers make; here is what is rare.
#include "lib/mips/frame_search.h"

#include <gtest/gtest.h>

#include <vector>

namespace mipstrace::mips {
namespace {

constexpr uint32_t kMakeFrame = 0x67bdffd0;  // daddiu $29, $29, -48
constexpr uint32_t kStoreRa = 0xffbf0028;    // sd $31, 40($29)
constexpr uint32_t kStoreFp = 0xffbe0020;    // sd $30, 32($29)
constexpr uint32_t kCall = 0x0c000000;       // jal
constexpr uint32_t kNop = 0;
constexpr uint32_t kLoadRa = 0xdfbf0028;     // ld $31, 40($29)
constexpr uint32_t kLoadFp = 0xdfbe0020;     // ld $30, 32($29)
constexpr uint32_t kReturn = 0x03e00008;     // jr $31
constexpr uint32_t kDropFrame = 0x67bd0030;  // daddiu $29, $29, 48
constexpr uint32_t kBreak = 0x0000000d;      // break
constexpr uint32_t kCallAtEnd = 0x03200008;  // jr $25
constexpr uint32_t kCompactReturn = 0xd81f0000;
constexpr uint32_t kCompactCall = 0xe8000010;  // balc
constexpr uint64_t kStart = 0x1000;

struct Code {
    std::vector<uint32_t> words;
    int refuses = 0;  // so many rules
    bool is_r6 = false;

    // "size ra_below fp_below", "in $31", or nothing.
    std::string rule_at(size_t word, bool is_interrupted = false) {
        FrameRule rule;
        const CodePlace place{kStart + 4 * word, is_interrupted, is_r6};
        if (!find_frame_rule(place, sources(), &rule)) return "";
        std::string text = rule.by_fp ? "$30 " : "";
        text += std::to_string(rule.size);
        text += rule.ra_in_register ? " in $31" : " " + std::to_string(rule.ra_below);
        return text + (rule.fp_is_lost ? " ?" : " " + std::to_string(rule.fp_below));
    }
    FrameSources sources() {
        return {[](uint64_t address, uint32_t* word, void* context) {
                    const auto& all = static_cast<Code*>(context)->words;
                    const uint64_t at = (address - kStart) / 4;
                    if (address < kStart || at >= all.size()) return false;
                    *word = all[at];
                    return true;
                },
                [](const FrameRule&, void* context) {
                    return static_cast<Code*>(context)->refuses-- <= 0;
                },
                this};
    }
};

TEST(FrameSearch, ByTheWayToTheReturn) {
    Code code{{kMakeFrame, kStoreRa, kStoreFp, kCall, kNop, kLoadRa, kLoadFp, kReturn, kDropFrame}};
    EXPECT_EQ(code.rule_at(5), "48 8 16");
}

TEST(FrameSearch, WhereverASignalComes) {
    Code code{{kMakeFrame, kStoreRa, kCall, kNop, kLoadRa, kReturn, kDropFrame}};
    EXPECT_EQ(code.rule_at(0, true), "0 in $31 0");
    EXPECT_EQ(code.rule_at(1, true), "48 in $31 0");
    EXPECT_EQ(code.rule_at(2, true), "48 8 0");
    EXPECT_EQ(code.rule_at(5, true), "48 in $31 0");
}

TEST(FrameSearch, OfAFunctionThatCallsAnotherOneAtItsEnd) {
    Code code{{kMakeFrame, kStoreRa, kCall, kNop, kLoadRa, kCallAtEnd, kDropFrame}};
    EXPECT_EQ(code.rule_at(4), "48 8 0");
}

// What lies behind the call is another function.
TEST(FrameSearch, OfAFunctionThatDoesNotReturn) {
    Code code{{kMakeFrame, kStoreRa, kCall, kNop, 0x67bdfff0, 0xffbf0008, kCall, kNop, 0xdfbf0008,
               kReturn, 0x67bd0010}};
    EXPECT_EQ(code.rule_at(4), "48 8 0");
    EXPECT_EQ(code.rule_at(8), "16 8 0");
}

TEST(FrameSearch, GoesOnWhereARuleIsRefused) {
    // beqz $2 to the second way out
    Code code{{kMakeFrame, kStoreRa, kCall, kNop, 0x10400004, kNop, kLoadRa, kReturn, kDropFrame,
               0xdfbf0018, kReturn, 0x67bd0020},
              1};
    EXPECT_EQ(code.rule_at(4), "32 8 0");
}

TEST(FrameSearch, OfAProgramsFirstFunction) {
    Code code{{kMakeFrame, kStoreRa, kReturn, kNop, 0x0000f825, kCall, kNop, kBreak}};
    EXPECT_EQ(code.rule_at(7), "");
}

TEST(FrameSearch, OfRelease6) {
    Code code{{kMakeFrame, kStoreRa, kCompactCall, kLoadRa, kDropFrame, kCompactReturn}, 0, true};
    EXPECT_EQ(code.rule_at(3), "48 8 0");
    EXPECT_TRUE(may_return_to(kStart + 12, true, code.sources()));
    EXPECT_FALSE(may_return_to(kStart + 12, false, code.sources()));
}

TEST(FrameSearch, EndsInAnyCode) {
    uint64_t state = 1;
    for (int i = 0; i < 200; i++) {
        Code code;
        for (int w = 0; w < 500; w++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            // Mostly branches.
            const uint32_t any = uint32_t(state >> 32);
            code.words.push_back(w % 2 == 0 ? any : 0x10400000 | (any & 0xff));
        }
        code.refuses = 1 << 30;
        EXPECT_EQ(code.rule_at(250), "");
        EXPECT_EQ(code.rule_at(250, true), "");
    }
}

TEST(FrameSearch, MayReturnBehindCallsAlone) {
    Code code{{kCall, kNop, kNop, kNop}};
    EXPECT_TRUE(may_return_to(kStart + 8, false, code.sources()));
    for (uint64_t at : {kStart, kStart + 4, kStart + 6, kStart + 9, kStart + 12, kStart + 100})
        EXPECT_FALSE(may_return_to(at, false, code.sources()));
}

}  // namespace
}  // namespace mipstrace::mips
