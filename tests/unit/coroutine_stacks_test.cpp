#include "lib/fgraph/coroutine_stacks.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace mipstrace::fgraph {
namespace {

// Each test has addresses of its own, since what is known stays known.
void add(uintptr_t low, uintptr_t high, uintptr_t holder = 0) {
    add_coroutine_stack({{low, high, StackKind::coroutine}, holder});
}

uintptr_t low_of(uintptr_t sp) {
    return find_coroutine_stack(sp).bounds.low;
}

TEST(CoroutineStacks, NothingIsKnownAtFirst) {
    EXPECT_EQ(low_of(0x1000), 0u);
    EXPECT_EQ(end_of_coroutine_stack_below(0x1000), 0u);
}

TEST(CoroutineStacks, AStackPointerAtTheTopIsOnTheStackAndOneAtItsEndIsNot) {
    add(0x10000, 0x20000, 7);
    add(0x20000, 0x30000);
    EXPECT_EQ(low_of(0x20000), 0x10000u);
    EXPECT_EQ(low_of(0x20010), 0x20000u);
    EXPECT_EQ(low_of(0x30000), 0x20000u);
    EXPECT_EQ(low_of(0x30010), 0u);
    EXPECT_EQ(low_of(0x10000), 0u);
    EXPECT_EQ(find_coroutine_stack(0x18000).holder_sp, 7u);
    EXPECT_EQ(find_coroutine_stack(0x18000).bounds.kind, StackKind::coroutine);
    EXPECT_EQ(end_of_coroutine_stack_below(0x30000), 0x30000u);
    EXPECT_EQ(end_of_coroutine_stack_below(0x2fff0), 0x20000u);
}

TEST(CoroutineStacks, ANewOneReplacesThoseThatItOverlaps) {
    add(0x100000, 0x110000);
    add(0x110000, 0x120000);
    add(0x120000, 0x130000);
    add(0x108000, 0x118000);
    EXPECT_EQ(low_of(0x104000), 0u);
    EXPECT_EQ(low_of(0x110000), 0x108000u);
    EXPECT_EQ(low_of(0x11c000), 0u);
    EXPECT_EQ(low_of(0x130000), 0x120000u);
}

TEST(CoroutineStacks, ManyInAnyOrder) {
    constexpr uintptr_t kBase = 0x10000000;
    std::vector<uintptr_t> lows;
    for (uintptr_t i = 0; i < 5000; i++)
        lows.push_back(kBase + i * 0x4000);
    std::shuffle(lows.begin(), lows.end(), std::mt19937(1));
    for (uintptr_t low : lows)
        add(low, low + 0x3000);
    for (uintptr_t low : lows) {
        ASSERT_EQ(low_of(low + 0x2000), low);
        ASSERT_EQ(low_of(low + 0x3800), 0u);
        ASSERT_EQ(end_of_coroutine_stack_below(low + 0x3800), low + 0x3000);
    }
}

TEST(CoroutineStacks, ReadersSeeWholeRangesWhileOthersAreAdded) {
    constexpr uintptr_t kBase = 0x70000000;
    add(kBase, kBase + 0x1000);
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (uintptr_t i = 3000; i-- > 1;)
            add(kBase + i * 0x2000, kBase + i * 0x2000 + 0x1000);
        done = true;
    });
    while (!done) {
        ASSERT_EQ(low_of(kBase + 0x1000), kBase);
        const CoroutineStack found = find_coroutine_stack(kBase + 0x2001000);
        ASSERT_TRUE(found.bounds.high == 0 || found.bounds.high == kBase + 0x2001000);
    }
    writer.join();
}

// One that waited for the writer would wait for ever.
TEST(CoroutineStacks, TheChildOfAForkFindsStacksWhateverAnotherThreadWasAdding) {
    constexpr uintptr_t kBase = 0x90000000;
    for (uintptr_t i = 0; i < 2000; i++)
        add(kBase + i * 0x2000, kBase + i * 0x2000 + 0x1000);
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        while (!stop)
            add(kBase, kBase + 0x1000);
    });
    for (int i = 0; i < 100; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            settle_coroutine_stacks_after_fork();
            find_coroutine_stack(kBase);
            add(kBase, kBase + 0x1000);
            _exit(low_of(kBase + 0x800) == kBase ? 0 : 1);
        }
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << i;
        if (status != 0) break;
    }
    stop = true;
    writer.join();
}

}  // namespace
}  // namespace mipstrace::fgraph
