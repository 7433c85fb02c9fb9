// The patcher on pages that stand for a module's text.
#include "lib/patch/code_patcher.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/captured_stderr.h"
#include "tests/unit/text_pages.h"

namespace mipstrace::patch {
namespace {

TEST(MakeReady, WritesTwoWordsAndLeavesTheSwitchOff) {
    Text text(0x10000, {0, 64, 0xfff4});
    make_ready(text.module());
    for (uint32_t offset : {0u, 64u, 0xfff4u})
        text.expect_sled(offset, kLui, 0, kOri);
    text.expect_rest();
    text.expect_protection("r-x");
    EXPECT_EQ(text.module().by_state[size_t(SiteState::ready)], 3u);
}

TEST(MakeReady, SitesAcrossAPageBoundary) {
    const uint32_t page = uint32_t(sysconf(_SC_PAGESIZE));
    Text text(4 * page, {page - 4, 2 * page - 8, 3 * page - 12});
    make_ready(text.module());
    for (uint32_t offset : {page - 4, 2 * page - 8, 3 * page - 12})
        text.expect_sled(offset, kLui, 0, kOri);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(MakeReady, ACallOfMcountAcrossAPageBoundary) {
    const uint32_t page = uint32_t(sysconf(_SC_PAGESIZE));
    const uint32_t offset = page - 8;
    Text text(2 * page, {offset});
    auto* words = reinterpret_cast<uint32_t*>(text.start() + offset);
    ASSERT_EQ(mprotect(words - offset / 4, 2 * page, PROT_READ | PROT_WRITE), 0);
    words[0] = 0x03e00825;  // move $1,$31
    words[1] = 0x0c000100;  // jal
    ASSERT_EQ(mprotect(words - offset / 4, 2 * page, PROT_READ | PROT_EXEC), 0);
    text.site(0).kind = SiteKind::call;
    text.module().call_page = kPage;
    make_ready(text.module());
    text.expect_sled(offset, kLui, 0, kOri);
    set_all(text.module(), 1);
    text.expect_sled(offset, kLui, kJalr, kOri | 1);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(MakeReady, SitesFarApart) {
    Text text(0x200000, {16, 0x80000, 0x80010, 0x1ffff0});
    make_ready(text.module());
    set_all(text.module(), 1);
    for (uint32_t offset : {16u, 0x80000u, 0x80010u, 0x1ffff0u})
        text.expect_sled(offset, kLui, kJalr, kOri | 1);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(MakeReady, LeavesSitesInOtherStatesAlone) {
    Text text(0x10000, {0, 32, 64, 96});
    text.site(1).state = SiteState::before_label;
    text.site(3).state = SiteState::short_sled;
    make_ready(text.module());
    text.expect_sled(0, kLui, 0, kOri);
    text.expect_sled(32, 0, 0, 0);
    text.expect_sled(64, kLui, 0, kOri);
    text.expect_sled(96, 0, 0, 0);
    set_all(text.module(), 3);
    text.expect_sled(0, kLui, kJalr, kOri | 3);
    text.expect_sled(32, 0, 0, 0);
    text.expect_sled(96, 0, 0, 0);
    EXPECT_EQ(text.site(1).users, 0u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::ready)], 2u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::before_label)], 1u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::short_sled)], 1u);
}

TEST(MakeReady, AModuleWithoutSites) {
    Text text(0x10000, {});
    make_ready(text.module());
    set_all(text.module(), 1);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(MakeReady, RestoresTheProtectionThatTheTextHad) {
    Text text(0x10000, {0, 64});
    text.module().text_protection = PROT_READ | PROT_WRITE | PROT_EXEC;
    make_ready(text.module());
    EXPECT_EQ(protection_of(text.start()).substr(0, 3), "rwx");
}

TEST(SetUsers, EachStepWritesTheWordsThatItNeeds) {
    Text text(0x10000, {64});
    make_ready(text.module());
    set_all(text.module(), 0x8001);
    text.expect_sled(64, kLui, kJalr, kOri | 0x8001);
    set_all(text.module(), 2);
    text.expect_sled(64, kLui, kJalr, kOri | 2);
    // Off: who has jumped already finds that nobody wants the call any more.
    set_all(text.module(), 0);
    text.expect_sled(64, kLui, 0, kOri);
    EXPECT_EQ(text.site(0).users, 0u);
    set_all(text.module(), 0xffff);
    text.expect_sled(64, kLui, kJalr, kOri | 0xffff);
    EXPECT_EQ(text.site(0).users, 0xffffu);
    text.expect_rest();
    text.expect_protection("r-x");
}

TEST(SetUsers, EachSiteHasItsOwn) {
    Text text(0x10000, {0, 32, 64});
    make_ready(text.module());
    set_users(
        text.module(),
        [](const Site& site, void*) -> uint16_t { return uint16_t(site.offset / 32); }, nullptr);
    text.expect_sled(0, kLui, 0, kOri);
    text.expect_sled(32, kLui, kJalr, kOri | 1);
    text.expect_sled(64, kLui, kJalr, kOri | 2);
}

TEST(SetUsers, AllValues) {
    Text text(0x10000, {0});
    make_ready(text.module());
    for (uint32_t users = 1; users <= 0xffff; users += 257) {
        set_all(text.module(), uint16_t(users));
        text.expect_sled(0, kLui, kJalr, kOri | users);
    }
}

TEST(SetUsers, ASledThatSomebodyOverwroteIsLeftAlone) {
    Text text(0x10000, {0, 32});
    make_ready(text.module());
    ASSERT_EQ(mprotect(reinterpret_cast<void*>(text.start()), 0x10000, PROT_READ | PROT_WRITE), 0);
    *text.module().words(text.site(0)) = kCode;
    set_all(text.module(), 1);
    text.expect_sled(0, kCode, 0, kOri);
    text.expect_sled(32, kLui, kJalr, kOri | 1);
    EXPECT_EQ(text.site(0).users, 0u);
    EXPECT_EQ(text.site(1).users, 1u);
}

// As the CPUs that run through the sleds fetch their words.
TEST(SetUsers, OtherThreadsSeeWordsOfOneStateOrTheOther) {
    constexpr size_t kReaders = 3;
    constexpr uint32_t kLooks = 1000;
    Text text(0x10000, {0, 64});
    make_ready(text.module());
    std::atomic<size_t> looking = kReaders;
    std::vector<std::thread> readers;
    for (size_t i = 0; i < kReaders; i++) {
        readers.emplace_back([&] {
            for (uint32_t look = 0; look < kLooks; look++) {
                const uint32_t* words = reinterpret_cast<uint32_t*>(text.start() + look % 2 * 64);
                EXPECT_EQ(__atomic_load_n(words, __ATOMIC_RELAXED), kLui);
                const uint32_t middle = __atomic_load_n(words + 1, __ATOMIC_RELAXED);
                EXPECT_TRUE(middle == mips::kNop || middle == kJalr) << middle;
                EXPECT_EQ(__atomic_load_n(words + 2, __ATOMIC_RELAXED) & 0xffff0000, kOri);
            }
            looking--;
        });
    }
    for (uint16_t users = 1; looking != 0; users = uint16_t((users + 1) % 4))
        set_all(text.module(), users);
    for (std::thread& reader : readers)
        reader.join();
}

// A shared mapping of a file that was opened for reading can't be written by any means.
// Zeros of a file that can't be written.
void* map_file(size_t size, int protection, int flags) {
    char path[] = P_tmpdir "/code_patcher_test.XXXXXX";
    const int writable = mkstemp(path);
    EXPECT_GE(writable, 0);
    EXPECT_EQ(ftruncate(writable, off_t(size)), 0);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    unlink(path);
    close(writable);
    void* memory = mmap(nullptr, size, protection, flags, fd, 0);
    close(fd);
    EXPECT_NE(memory, MAP_FAILED);
    return memory;
}

// Who looks for a function's file in /proc/self/maps finds it by where the mapping begins.
TEST(MakeReady, LeavesTheTextOneMapping) {
    const size_t size = 0x40000;
    Text text(map_file(size, PROT_READ | PROT_EXEC, MAP_PRIVATE), size, {0x10000, 0x30000});
    make_ready(text.module());
    set_all(text.module(), 1);
    text.expect_sled(0x30000, kLui, kJalr, kOri | 1);
    text.expect_protection("r-x");
    EXPECT_GE(mapping_of(text.start()).high, text.start() + size);
}

TEST(MakeReady, TextThatCannotBeWrittenIsRefused) {
    void* memory = map_file(0x10000, PROT_READ, MAP_SHARED);
    Text text(memory, 0x10000, {0, 64, 128});
    text.site(1).state = SiteState::compressed;
    CapturedStderr captured;
    make_ready(text.module());
    set_all(text.module(), 1);
    EXPECT_EQ(captured.take(), "");
    for (uint32_t offset : {0u, 64u, 128u})
        text.expect_sled(offset, 0, 0, 0);
    EXPECT_EQ(text.site(0).state, SiteState::refused);
    EXPECT_EQ(text.site(2).state, SiteState::refused);
    EXPECT_EQ(text.site(0).users, 0u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::refused)], 2u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::compressed)], 1u);
    EXPECT_EQ(text.module().by_state[size_t(SiteState::ready)], 0u);
    text.expect_protection("r--");
}

}  // namespace
}  // namespace mipstrace::patch
