#include "lib/fgraph/shadow_stack.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace mipstrace::fgraph {
namespace {

constexpr StackBounds kUnknown{};

class ShadowStackTest : public testing::Test {
  protected:
    static constexpr size_t kFrames = 64;  // one of them is the sentinel

    void SetUp() override { stack_.init(memory_.get(), kFrames * sizeof(Frame)); }

    Frame* push(uintptr_t sp, uintptr_t ret = 0) {
        Frame* frame = stack_.top++;
        ShadowStack::copy(*frame, {});
        frame->sp = sp;
        frame->ret = ret;
        return frame;
    }

    Frame* push_full(uintptr_t sp, uint32_t users) {
        Frame* frame = push(sp | kFull);
        frame->users = users;
        return frame;
    }

    // The sps of the frames that a call at `sp` shows to be dead, in the order in which they go.
    std::vector<uintptr_t> left_at(uintptr_t sp, bool tail_call, const StackBounds& bounds) {
        std::vector<uintptr_t> gone;
        std::vector<uintptr_t> before;
        for (Frame* f = stack_.base + 1; f < stack_.top; f++)
            before.push_back(f->sp & ~kFull);
        const bool any = stack_.has_left(sp, tail_call, bounds);
        const size_t depth = stack_.depth();
        stack_.drop_left(sp, tail_call, bounds, [&](const Frame& frame) {
            EXPECT_EQ(frame.sp, kDead);
            gone.push_back(before[size_t(&frame - stack_.base) - 1]);
        });
        EXPECT_EQ(any, !gone.empty() || stack_.depth() != depth);
        return gone;
    }

    std::vector<uintptr_t> live() const {
        std::vector<uintptr_t> sps;
        for (const Frame* f = stack_.base + 1; f < stack_.top; f++) {
            if (f->sp != kDead) sps.push_back(f->sp & ~kFull);
        }
        return sps;
    }

    using Sps = std::vector<uintptr_t>;

    std::unique_ptr<Frame[]> memory_ = std::make_unique<Frame[]>(kFrames);
    ShadowStack stack_;
};

TEST(ShadowStack, HasNoDepthBeforeItHasMemory) {
    EXPECT_EQ(ShadowStack{}.depth(), 0u);
}

TEST_F(ShadowStackTest, IsEmptyAtFirst) {
    EXPECT_EQ(stack_.depth(), 0u);
    EXPECT_EQ(stack_.top, stack_.base + 1);
    EXPECT_EQ(stack_.limit, stack_.base + kFrames);
    EXPECT_EQ(stack_.find(0x1000), nullptr);
    EXPECT_EQ(stack_.count_claimed(), 0u);
    EXPECT_GT(stack_.top[-1].sp, UINTPTR_MAX / 2) << "the sentinel lies above every stack";
}

TEST_F(ShadowStackTest, TheSentinelIsNeverFoundNorDropped) {
    EXPECT_EQ(stack_.find(stack_.base->sp), nullptr);
    EXPECT_EQ(left_at(UINTPTR_MAX & ~uintptr_t(15), false, {0, UINTPTR_MAX}), Sps{});
    stack_.trim();
    EXPECT_EQ(stack_.depth(), 0u);
}

TEST_F(ShadowStackTest, LimitLeavesRoomForWholeFramesOnly) {
    stack_.init(memory_.get(), 3 * sizeof(Frame) + sizeof(Frame) - 1);
    EXPECT_EQ(stack_.limit - stack_.base, 3);
    push(0x2000);
    push(0x1000);
    EXPECT_EQ(stack_.top, stack_.limit);
    EXPECT_EQ(stack_.depth(), 2u);
}

TEST_F(ShadowStackTest, FindsTheInnermostFrameByExactSp) {
    push(0x3000);
    Frame* outer = push(0x2000);
    Frame* inner = push(0x2000);
    Frame* top = push(0x1000);
    EXPECT_EQ(stack_.find(0x1000), top);
    EXPECT_EQ(stack_.find(0x2000), inner);
    EXPECT_EQ(stack_.find(0x2008), nullptr);
    stack_.top = inner;
    EXPECT_EQ(stack_.find(0x2000), outer);
    EXPECT_EQ(stack_.depth(), 2u);
}

TEST_F(ShadowStackTest, AClaimedFrameIsNotFound) {
    push(0x2000 | kClaimed);
    EXPECT_EQ(stack_.find(0x2000), nullptr);
    EXPECT_EQ(stack_.count_claimed(), 1u);
    push(0x1000 | kClaimed);
    push(0x800);
    EXPECT_EQ(stack_.count_claimed(), 2u);
}

TEST_F(ShadowStackTest, AFrameInFullIsFoundByItsSp) {
    Frame* frame = push_full(0x2000, 6);
    EXPECT_EQ(stack_.find(0x2000), frame);
    EXPECT_EQ(sp_of(*frame), 0x2000u);
    EXPECT_EQ(users_of(*frame), 6u);
    EXPECT_FALSE(is_claimed(*frame));
}

TEST_F(ShadowStackTest, FillingInKeepsStackPointerAndClaim) {
    push(0x3000);
    for (uintptr_t mark : {uintptr_t(0), kClaimedByRecorder}) {
        Frame* frame = push(0x2000 | mark);
        frame->users = 0xabcd;  // of a frame that was here earlier
        const bool claimed = is_claimed(*frame);
        EXPECT_FALSE(is_full(*frame));
        EXPECT_EQ(users_of(*frame), kRecorderAlone);
        stack_.fill_in(*frame);
        EXPECT_TRUE(is_full(*frame));
        EXPECT_EQ(is_claimed(*frame), claimed);
        EXPECT_EQ(sp_of(*frame), 0x2000u);
        EXPECT_EQ(frame->users, kRecorderAlone);
        EXPECT_EQ(frame->call.depth, int(stack_.depth()) - 1);
    }
    Frame* full = push_full(0x1000, 6);
    stack_.fill_in(*full);
    EXPECT_EQ(full->users, 6u);
}

TEST_F(ShadowStackTest, LongjmpLeavesSeveralFrames) {
    for (uintptr_t sp : {0x5000, 0x4000, 0x3000, 0x2000, 0x1000})
        push(sp);
    // A longjmp to the function at 0x4000, which calls another one.
    EXPECT_EQ(left_at(0x3800, false, {0, 0x10000}), (Sps{0x1000, 0x2000, 0x3000}));
    EXPECT_EQ(live(), (Sps{0x5000, 0x4000}));
    EXPECT_EQ(stack_.depth(), 2u);
}

TEST_F(ShadowStackTest, ACallAtTheSamePlaceReplacesOneThatWasLeft) {
    push(0x4000);
    push(0x3000);
    EXPECT_EQ(left_at(0x3000, false, kUnknown), Sps{0x3000});
    EXPECT_EQ(live(), Sps{0x4000});
}

TEST_F(ShadowStackTest, ATailCallKeepsTheFrameAtTheSamePlace) {
    push(0x4000);
    push(0x3000);
    EXPECT_EQ(left_at(0x3000, true, {0, 0x10000}), Sps{});
    EXPECT_EQ(live(), (Sps{0x4000, 0x3000}));
    // But not what lies below it.
    push(0x2000);
    EXPECT_EQ(left_at(0x3000, true, {0, 0x10000}), Sps{0x2000});
    EXPECT_EQ(live(), (Sps{0x4000, 0x3000}));
}

TEST_F(ShadowStackTest, KeepsWhatMayBeOnAnotherStack) {
    push(0x14000);
    push(0x13000);
    push(0x5000);  // a coroutine's stack
    EXPECT_EQ(left_at(0x12000, false, kUnknown), Sps{});
    EXPECT_EQ(left_at(0x12000, false, {0x10000, 0x20000}), Sps{});
    EXPECT_EQ(live(), (Sps{0x14000, 0x13000, 0x5000}));
    // The bounds are of a stack that does not hold the call: they say nothing.
    EXPECT_EQ(left_at(0x13800, false, {0x30000, 0x40000}), Sps{});
}

TEST_F(ShadowStackTest, DropsThroughFramesOfAnotherStack) {
    push(0x14000);
    push(0x12000);
    push(0x5000);
    push(0x11000);
    EXPECT_EQ(left_at(0x13000, false, {0x10000, 0x20000}), (Sps{0x11000, 0x12000}));
    EXPECT_EQ(live(), (Sps{0x14000, 0x5000}));
    EXPECT_EQ(stack_.depth(), 2u + 1u) << "a hole stays below a frame that lives";
    stack_.find(0x5000)->sp = kDead;
    stack_.trim();
    EXPECT_EQ(stack_.depth(), 1u);
}

TEST_F(ShadowStackTest, AClaimedFrameIsLeftLikeOthers) {
    push(0x4000);
    push(0x3000 | kClaimed);  // a handler left its handling by siglongjmp
    EXPECT_EQ(left_at(0x3800, false, {0, 0x10000}), Sps{0x3000 | kClaimed});
    EXPECT_EQ(live(), Sps{0x4000});
}

TEST_F(ShadowStackTest, DeadFramesAreNotReportedAgain) {
    push(0x4000);
    push(0x3000);
    push(0x90000);  // elsewhere, so that the hole below stays
    EXPECT_EQ(left_at(0x3800, false, {0, 0x10000}), Sps{0x3000});
    EXPECT_EQ(left_at(0x3900, false, {0, 0x10000}), Sps{});
    EXPECT_EQ(live(), (Sps{0x4000, 0x90000}));
}

TEST_F(ShadowStackTest, AHandlerOnASignalStackIsLeftWhenTheThreadRunsElsewhere) {
    const StackBounds own{0x8000, 0x9000, StackKind::own};
    push(0x8800);
    push(0x8700);
    push_full(0x500, kOverlay | 1);
    push(0x400);
    push_full(0x6000, kFirst | 1);
    stack_.may_have_handlers = true;
    const StackBounds signal{0x100, 0x600, StackKind::signal};
    EXPECT_EQ(left_at(0x300, false, signal), Sps{});
    EXPECT_EQ(left_at(0x8780, false, own), (Sps{0x400, 0x500, 0x8700}));
    EXPECT_EQ(live(), (Sps{0x8800, 0x6000}));
    EXPECT_FALSE(stack_.may_have_handlers);
}

TEST_F(ShadowStackTest, CompactClosesGapsInOrder) {
    for (uintptr_t sp : {0x5000, 0x4000, 0x3000, 0x2000, 0x1000})
        push(sp, sp + 1);
    stack_.base[2].sp = kDead;
    stack_.base[4].sp = kDead;
    stack_.compact();
    EXPECT_EQ(live(), (Sps{0x5000, 0x3000, 0x1000}));
    EXPECT_EQ(stack_.depth(), 3u);
    EXPECT_EQ(stack_.find(0x1000)->ret, 0x1001u);
}

TEST_F(ShadowStackTest, CountsTheLiveFramesOfAUserAbove) {
    const Frame* first = push(0x5000);
    for (uint32_t users : {1, 2, 3, 4 | 1 << 25, 1})
        push_full(0x4000, users);
    stack_.base[2].sp = kDead;
    EXPECT_EQ(stack_.count_above(*first, 1), 2u);
    EXPECT_EQ(stack_.count_above(*first, 4), 1u);
    EXPECT_TRUE(stack_.has_taken(3, 1)) << "the first one, too";
    EXPECT_FALSE(stack_.has_taken(4, 1));
    EXPECT_TRUE(stack_.has_taken(1, 4));
    EXPECT_FALSE(stack_.has_taken(2, 4));
    push(0x3000);
    EXPECT_EQ(stack_.count_above(*first, kRecorderAlone), 3u) << "of frames without users, too";
    EXPECT_EQ(stack_.count_above(*first, 4), 1u);
    EXPECT_EQ(stack_.count_above(stack_.top[-1], 1), 0u);
}

TEST_F(ShadowStackTest, TheOuterFrameOnAKnownStackIsTheInnermostOne) {
    push(0x9000);
    const Frame* outer = push(0x8000);
    push(0x300);
    uintptr_t reaches = 0x7000;
    auto on_stack = [](uintptr_t sp) { return sp > 0x7000; };
    EXPECT_EQ(stack_.find_outer(0x7800, true, on_stack, &reaches), outer);
    EXPECT_EQ(reaches, 0x7000u);
    auto nowhere = [](uintptr_t) { return false; };
    EXPECT_EQ(stack_.find_outer(0x7800, true, nowhere, &reaches), nullptr);
}

TEST_F(ShadowStackTest, TheOuterFrameOnAnUnknownStackIsTheNearestAbove) {
    const Frame* outer = push(0x2400);
    push(0x9000);
    push(0x3000 | kClaimed);
    push(0x1800);
    uintptr_t reaches = 0;
    auto anywhere = [](uintptr_t) { return true; };
    EXPECT_EQ(stack_.find_outer(0x2000, false, anywhere, &reaches), outer);
    EXPECT_EQ(reaches, 0x1800u) << "the stack may end there, where another one has a frame";
}

TEST_F(ShadowStackTest, TrimStopsAtALiveFrame) {
    push(0x4000);
    push(kDead);
    push(0x3000);
    push(kDead);
    push(kDead);
    stack_.trim();
    EXPECT_EQ(stack_.depth(), 3u);
}

// What a thread really does, on several stacks, against the frames that the shadow stack keeps for
// it. `known` tells for which stacks the bounds are known.
class Simulation {
  public:
    Simulation(uint32_t seed, unsigned known) : random_(seed), known_(known) {
        shadow_.init(memory_.get(), kFrames * sizeof(Frame));
        for (unsigned s = 0; s < kStacks; s++)
            stacks_[s].sp = high(s);
    }

    void step() {
        const unsigned choice = random(100);
        Stack& stack = stacks_[current_];
        if (choice < 8)
            current_ = random(kStacks);
        else if (choice < 55)
            call(uintptr_t(16 + random(4) * 16), false);
        else if (choice < 62)
            call(0, !stack.calls.empty());
        else if (choice < 95)
            return_from_call();
        else
            jump();
        maybe_compact();
        check();
    }

  private:
    static constexpr unsigned kStacks = 3;
    static constexpr size_t kFrames = 4096;
    static constexpr size_t kMaxCalls = 60;

    struct Call {
        uintptr_t sp;
        uintptr_t ret;
        bool tail;  // its return address was ours already
    };
    struct Stack {
        uintptr_t sp;
        std::vector<Call> calls;
    };

    static uintptr_t low(unsigned s) { return 0x100000 * (s + 1); }
    static uintptr_t high(unsigned s) { return low(s) + 0x80000; }
    StackBounds bounds() const {
        return (known_ >> current_ & 1) != 0 ? StackBounds{low(current_), high(current_)}
                                             : kUnknown;
    }

    // As fgraph_enter does it.
    void call(uintptr_t frame_size, bool tail) {
        Stack& stack = stacks_[current_];
        if (stack.calls.size() >= kMaxCalls) return;
        const uintptr_t sp = tail ? stack.calls.back().sp : stack.sp - frame_size;
        if (shadow_.top[-1].sp <= sp && !(tail && shadow_.top[-1].sp == sp))
            shadow_.drop_left(sp, tail, bounds(), [&](const Frame& f) { expect_left(f); });
        ASSERT_NE(shadow_.top, shadow_.limit);
        Frame* frame = shadow_.top++;
        ShadowStack::copy(*frame, {});
        frame->sp = sp;
        frame->ret = ++next_return_;
        stack.calls.push_back({sp, frame->ret, tail});
        stack.sp = sp;
    }

    // As fgraph_leave does it: a return takes the tail calls below it along.
    void return_from_call() {
        Stack& stack = stacks_[current_];
        while (!stack.calls.empty()) {
            const Call call = stack.calls.back();
            Frame* frame = shadow_.top - 1;
            if (frame->sp != call.sp) {
                frame = shadow_.find(call.sp);
                ASSERT_NE(frame, nullptr);
                shadow_.drop_left(call.sp, true, bounds(), [&](const Frame& f) { expect_left(f); });
            }
            ASSERT_EQ(frame->ret, call.ret) << "returns to where it was called from";
            if (frame == shadow_.top - 1)
                shadow_.top = frame;
            else
                frame->sp = kDead;
            stack.calls.pop_back();
            stack.sp = call.sp;
            if (!call.tail) break;
        }
    }

    // A longjmp on this stack, over a few calls. It may not stop between a call and its tail call.
    void jump() {
        Stack& stack = stacks_[current_];
        for (unsigned count = random(4); count > 0 && !stack.calls.empty(); count--) {
            while (stack.calls.back().tail)
                stack.calls.pop_back();
            stack.sp = stack.calls.back().sp + 16;
            stack.calls.pop_back();
        }
    }

    // As when a call finds too many gaps.
    void maybe_compact() {
        if (random(16) == 0) shadow_.compact();
    }

    void expect_left(const Frame& frame) {
        for (const Stack& stack : stacks_) {
            for (const Call& call : stack.calls)
                EXPECT_NE(call.ret, frame.ret) << "a call that is still open was dropped";
        }
    }

    // Every open call has its frame, found again by its sp where it is the innermost of its stack.
    void check() {
        ASSERT_EQ(shadow_.count_claimed(), 0u);
        size_t open = 0;
        for (const Stack& stack : stacks_) {
            for (const Call& call : stack.calls) {
                bool found = false;
                for (const Frame* f = shadow_.base + 1; f < shadow_.top; f++)
                    found |= f->ret == call.ret && f->sp == call.sp;
                ASSERT_TRUE(found) << "sp " << std::hex << call.sp;
                open++;
            }
            if (!stack.calls.empty()) {
                const Frame* frame = shadow_.find(stack.calls.back().sp);
                ASSERT_NE(frame, nullptr);
                ASSERT_EQ(frame->ret, stack.calls.back().ret);
            }
        }
        ASSERT_GE(shadow_.depth(), open);
    }

    unsigned random(unsigned below) { return unsigned(random_() % below); }

    std::mt19937 random_;
    unsigned known_;
    unsigned current_ = 0;
    uintptr_t next_return_ = 0;
    Stack stacks_[kStacks];
    std::unique_ptr<Frame[]> memory_ = std::make_unique<Frame[]>(kFrames);
    ShadowStack shadow_;
};

class ShadowStackModel : public testing::TestWithParam<unsigned> {};

TEST_P(ShadowStackModel, EveryReturnFindsItsCall) {
    for (uint32_t seed = 0; seed < 6; seed++) {
        Simulation simulation(seed, GetParam());
        for (int step = 0; step < 800; step++) {
            simulation.step();
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << " step " << step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(KnownStacks, ShadowStackModel, testing::Values(0u, 1u, 2u, 5u, 7u));

}  // namespace
}  // namespace mipstrace::fgraph
