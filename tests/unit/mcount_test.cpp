// Reading calls of _mcount and the prologues in front of them, where compilers do not go;
// tests/mcount/check_frames looks at what they make.
#include <gtest/gtest.h>

#include <vector>

#include "lib/mcount/call_site.h"
#include "lib/mcount/frame_table.h"

namespace mipstrace::mcount {
namespace {

enum : uint32_t { zero = 0, at = 1, v0 = 2, v1 = 3, a0 = 4, t0 = 12, t3 = 15, s0 = 16, t9 = 25 };
enum : uint32_t { gp = 28, sp = 29, ra = 31 };

constexpr uint32_t kNop = 0;
constexpr uint32_t kUnknownWord = 0x4a000000;  // cop2

uint32_t immediate(uint32_t opcode, uint32_t rt, uint32_t rs, int value) {
    return opcode << 26 | rs << 21 | rt << 16 | uint16_t(value);
}
uint32_t daddiu(uint32_t rt, uint32_t rs, int value) {
    return immediate(0x19, rt, rs, value);
}
uint32_t lui(uint32_t rt, int value) {
    return immediate(0x0f, rt, 0, value);
}
uint32_t ori(uint32_t rt, uint32_t rs, int value) {
    return immediate(0x0d, rt, rs, value);
}
uint32_t sd(uint32_t rt, int offset, uint32_t rs) {
    return immediate(0x3f, rt, rs, offset);
}
uint32_t ld(uint32_t rt, int offset, uint32_t rs) {
    return immediate(0x37, rt, rs, offset);
}
uint32_t bne(uint32_t rs, uint32_t rt, int words) {
    return immediate(0x05, rt, rs, words);
}
uint32_t triple(uint32_t function, uint32_t rd, uint32_t rs, uint32_t rt) {
    return rs << 21 | rt << 16 | rd << 11 | function;
}
uint32_t daddu(uint32_t rd, uint32_t rs, uint32_t rt) {
    return triple(0x2d, rd, rs, rt);
}
uint32_t dsubu(uint32_t rd, uint32_t rs, uint32_t rt) {
    return triple(0x2f, rd, rs, rt);
}
uint32_t move(uint32_t rd, uint32_t rs) {
    return triple(0x25, rd, rs, 0);
}
uint32_t jr(uint32_t rs) {
    return rs << 21 | 0x08;
}
uint32_t jalr(uint32_t rs) {
    return rs << 21 | ra << 11 | 0x09;
}
uint32_t jal(uint64_t target) {
    return 0x03u << 26 | (uint32_t(target) >> 2 & 0x3ffffff);
}

constexpr uint64_t kText = 0x10000;
constexpr uint64_t kSlot = 0x20008;

// A function at kText behind another's end, whose call is reached by gp.
class Function {
  public:
    explicit Function(std::vector<uint32_t> prologue, std::vector<uint32_t> call = plain_call()) {
        words_ = {jr(ra), kNop};
        start_ = kText + 8;
        // gp = start + 0x10000: the slot is at an offset from it.
        const int offset = int(kSlot) - int(start_ + 0x10000);
        words_.insert(words_.end(), {lui(gp, 1), daddu(gp, gp, t9)});
        words_.insert(words_.end(), prologue.begin(), prologue.end());
        address_ = kText + 4 * words_.size();
        for (uint32_t word : call)
            words_.push_back(word == ld(t9, 0, gp) ? ld(t9, offset, gp) : word);
        words_.insert(words_.end(), {jr(ra), kNop});
    }

    static std::vector<uint32_t> plain_call() {
        return {move(at, ra), ld(t9, 0, gp), jalr(t9), kNop};
    }

    bool find(CallSite* site) const {
        CallSlots slots;
        slots.add(kSlot);
        return find_call_site(code(), slots, address_, kText, site);
    }
    uint32_t count_words() const { return count_call_words(code(), address_); }
    SiteFrame frame() const {
        CallSite site{};
        EXPECT_TRUE(find(&site));
        EXPECT_EQ(site.address, address_);
        EXPECT_EQ(site.start, start_);
        return site.frame;
    }
    Code code() const {
        return {reinterpret_cast<const unsigned char*>(words_.data()), kText, 4 * words_.size(),
                false, is_o32};
    }

    bool is_o32 = false;

  private:
    std::vector<uint32_t> words_;
    uint64_t start_;
    uint64_t address_;
};

void expect_frame(const SiteFrame& frame, uint32_t size, uint32_t ra_below) {
    EXPECT_TRUE(frame.is_known);
    EXPECT_EQ(frame.size, size);
    EXPECT_EQ(frame.ra_below, ra_below);
}

TEST(McountFrame, LeafAndNot) {
    expect_frame(Function({}).frame(), 0, 0);
    expect_frame(Function({daddiu(sp, sp, -32)}).frame(), 32, 0);
    expect_frame(Function({daddiu(sp, sp, -32), sd(ra, 24, sp)}).frame(), 32, 8);
}

TEST(McountFrame, StoreThroughAnotherRegister) {
    expect_frame(Function({lui(v1, 1), ori(v1, v1, 0x10), dsubu(sp, sp, v1), lui(v0, 1),
                           daddu(v0, v0, sp), sd(ra, 8, v0)})
                     .frame(),
                 0x10010, 8);
    expect_frame(Function({move(v0, sp), daddiu(sp, sp, -64), sd(ra, -16, v0)}).frame(), 64, 16);
    expect_frame(Function({daddiu(sp, sp, -16), move(v0, ra), sd(v0, 8, sp)}).frame(), 16, 8);
}

TEST(McountFrame, ABranchOutIsNoMatter) {
    expect_frame(Function({bne(a0, zero, 40), kNop, daddiu(sp, sp, -32), sd(ra, 24, sp)}).frame(),
                 32, 8);
}

TEST(McountFrame, ALoopThatTouchesPagesIsNoMatter) {
    expect_frame(Function({daddiu(v1, sp, -16384), daddiu(v1, v1, -4096), bne(v1, t0, -2),
                           sd(zero, 0, v1), daddiu(sp, sp, -32), sd(ra, 24, sp)})
                     .frame(),
                 32, 8);
}

TEST(McountFrame, WhatIsNotKnown) {
    const std::vector<std::vector<uint32_t>> prologues = {
        {daddiu(sp, sp, -32), bne(a0, zero, 2), kNop, sd(ra, 24, sp)},  // on one way only
        {kUnknownWord, daddiu(sp, sp, -32)},
        {dsubu(sp, sp, a0)},
        {daddiu(sp, sp, -12)},
        {daddiu(sp, sp, 16)},
        {daddiu(sp, sp, -32), sd(ra, 0, a0)},
        {daddiu(sp, sp, -32), sd(ra, 40, sp)},  // in its caller's frame
        {daddiu(sp, sp, -32), sd(ra, -8, sp)},  // below its own
        {daddiu(sp, sp, -32), sd(ra, 24, sp), sd(ra, 16, sp)},
        {daddiu(sp, sp, -2048), sd(ra, 0, sp)},  // farther than a table tells
        {move(s0, ra)},
        {lui(v1, 0x4000), dsubu(sp, sp, v1)},  // larger than a table tells
        // Loops that change what counts.
        {daddiu(sp, sp, -16), bne(sp, t0, -2), kNop},
        {daddiu(v1, sp, -16), bne(v1, t0, -2), sd(ra, 0, v1)},
    };
    for (const auto& prologue : prologues)
        EXPECT_FALSE(Function(prologue).frame().is_known) << std::hex << prologue[0];
}

TEST(McountFrame, ThePlaceThatTheCallTells) {
    auto frame = [](uint32_t tells, std::vector<uint32_t> prologue) {
        return Function(std::move(prologue), {move(at, ra), tells, ld(t9, 0, gp), jalr(t9), kNop})
            .frame();
    };
    const std::vector<uint32_t> leaf = {daddiu(sp, sp, -32)};
    const std::vector<uint32_t> other = {daddiu(sp, sp, -32), sd(ra, 24, sp)};
    expect_frame(frame(daddiu(t0, sp, 24), other), 32, 8);
    expect_frame(frame(move(t0, zero), leaf), 32, 0);
    EXPECT_FALSE(frame(daddiu(t0, sp, 16), other).is_known);
    EXPECT_FALSE(frame(move(t0, zero), other).is_known);
    EXPECT_FALSE(frame(daddiu(t0, sp, 24), leaf).is_known);
}

TEST(McountCall, Forms) {
    struct Form {
        std::vector<uint32_t> words;
        bool is_o32;
        uint32_t count;
    };
    const uint32_t push = immediate(0x09, sp, sp, -8);
    const uint32_t reload = immediate(0x23, gp, sp, 16);
    const std::vector<Form> forms = {
        {Function::plain_call(), false, 4},
        {{daddu(at, ra, zero), ld(t9, 0, gp), jalr(t9), kNop}, false, 4},
        {{move(at, ra), move(v0, t3), ld(t9, 0, gp), jalr(t9), kNop, move(t3, v0)}, false, 6},
        {{move(at, ra), ld(t9, 0, gp), jalr(t9), move(v0, t3), move(t3, v0)}, false, 5},
        {{move(at, ra), ld(t9, 0, gp), jalr(t9), daddiu(t0, sp, 0)}, false, 4},
        {{move(at, ra), push, ld(t9, 0, gp), jalr(t9), kNop}, true, 5},
        {{move(at, ra), move(v0, t3), push, ld(t9, 0, gp), jalr(t9), kNop, reload, move(t3, v0)},
         true,
         8},
        // None of these.
        {{move(at, ra), push, ld(t9, 0, gp), jalr(t9), kNop}, false, 0},
        {{move(at, ra), daddiu(a0, a0, 1), ld(t9, 0, gp), jalr(t9), kNop}, false, 0},
        {{move(at, ra), sd(ra, 0, sp), ld(t9, 0, gp), jalr(t9), kNop}, false, 0},
        {{move(at, ra), ld(t9, 0, gp), jalr(t9), daddiu(a0, a0, 1)}, false, 0},
        {{move(at, ra), move(v0, t3), ld(t9, 0, gp), jalr(t9), kNop}, false, 0},
        {{move(at, ra), ld(t9, 0, gp), jr(t9), kNop}, false, 0},
        {{move(v0, ra), ld(t9, 0, gp), jalr(t9), kNop}, false, 0},
    };
    for (const Form& form : forms) {
        Function function({}, form.words);
        function.is_o32 = form.is_o32;
        EXPECT_EQ(function.count_words(), form.count) << std::hex << form.words[1];
    }
}

TEST(McountCall, OfAnotherFunctionIsNone) {
    CallSite site;
    EXPECT_FALSE(Function({}, {move(at, ra), ld(t9, 16, gp), jalr(t9), kNop}).find(&site));
    EXPECT_FALSE(Function({daddiu(gp, gp, 8)}).find(&site));
    EXPECT_FALSE(Function({}, {move(at, ra), jal(kText), kNop}).find(&site));
    EXPECT_TRUE(Function({}).find(&site));
}

TEST(McountCall, ThroughThePlt) {
    std::vector<uint32_t> words = {
        lui(t3, 2),          ld(t9, 8, t3), jr(t9),       daddiu(24, t3, 8),  // the stub
        daddiu(sp, sp, -16), sd(ra, 8, sp), move(at, ra), jal(kText),
        daddiu(t0, sp, 8),   jr(ra),        kNop};
    const Code code{reinterpret_cast<const unsigned char*>(words.data()), kText, 4 * words.size(),
                    false, false};
    CallSlots slots;
    slots.add(kSlot);
    std::vector<CallSite> sites;
    for_each_call_site(code, slots, [&](const CallSite& site) { sites.push_back(site); });
    ASSERT_EQ(sites.size(), 1u);
    EXPECT_EQ(sites[0].address, kText + 24);
    EXPECT_EQ(sites[0].words, 3u);
    expect_frame(sites[0].frame, 16, 8);
}

TEST(McountCall, AtTheVeryEnd) {
    for (size_t left = 1; left < 4; left++) {
        std::vector<uint32_t> call = Function::plain_call();
        call.resize(left);
        const Code code{reinterpret_cast<const unsigned char*>(call.data()), kText, 4 * left, false,
                        false};
        EXPECT_EQ(count_call_words(code, kText), 0u);
    }
}

TEST(FrameTable, FindsAllAndNothingElse) {
    constexpr uint32_t kCount = 3000;
    FrameTable* table = FrameTable::make(kCount);
    ASSERT_NE(table, nullptr);
    // Functions of one size, and aligned: as close to each other as places get.
    for (uint32_t i = 1; i <= kCount; i++)
        table->add(i << 8, {true, 8 * i, i % 3 == 0 ? 0u : 8u});
    for (uint32_t i = 1; i <= kCount; i++) {
        const uint32_t word = table->word_at(i << 8);
        EXPECT_EQ(frame_size(word), 8 * i);
        EXPECT_EQ(ra_below(word), i % 3 == 0 ? 0u : 8u);
        EXPECT_EQ(table->word_at((i << 8) + 4), kNoFrame);
    }
    FrameTable::unmake(table);
}

TEST(FrameTable, WordsHoldTheLargest) {
    const uint32_t word = frame_word({true, kLargestFrame, kFarthestPlace});
    EXPECT_NE(word, kNoFrame);
    EXPECT_EQ(frame_size(word), kLargestFrame);
    EXPECT_EQ(ra_below(word), kFarthestPlace);
    EXPECT_EQ(frame_word({}), kNoFrame);
}

}  // namespace
}  // namespace mipstrace::mcount
