// The library's own malloc and string functions, under names that leave this program's alone.
#include <errno.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

#include <random>
#include <string>
#include <vector>

#include "lib/base/arena.h"

#define malloc own_malloc
#define free own_free
#define calloc own_calloc
#define realloc own_realloc
#include "lib/own_libc/memory.cpp"
#undef malloc
#undef free
#undef calloc
#undef realloc

#define memcpy own_memcpy
#define memmove own_memmove
#define memset own_memset
#define memcmp own_memcmp
#define memchr own_memchr
#define memrchr own_memrchr
#define strlen own_strlen
#define strcmp own_strcmp
#define strncmp own_strncmp
#define strcpy own_strcpy
#define __memcpy_chk own_memcpy_chk
#include "lib/own_libc/strings.cpp"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef memrchr
#undef strlen
#undef strcmp
#undef strncmp
#undef strcpy

namespace {

int sign(int value) {
    return (value > 0) - (value < 0);
}

TEST(OwnMalloc, BlocksKeepWhatIsInThem) {
    std::mt19937 random(1);
    struct Owned {
        unsigned char* memory;
        size_t size;
        unsigned char byte;
    };
    std::vector<Owned> blocks;
    for (int step = 0; step < 5000; step++) {
        const size_t size = random() % 100 == 0 ? random() % 600000 : random() % 300;
        if (blocks.size() < 40 && random() % 2 == 0) {
            auto* memory = static_cast<unsigned char*>(own_malloc(size));
            ASSERT_NE(memory, nullptr);
            ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u);
            blocks.push_back({memory, size, static_cast<unsigned char>(step)});
        } else if (!blocks.empty()) {
            Owned& block = blocks[random() % blocks.size()];
            const size_t old = block.size;
            if (random() % 3 == 0) {
                block.memory = static_cast<unsigned char*>(own_realloc(block.memory, size));
                ASSERT_NE(block.memory, nullptr);
                block.size = size;
            }
            for (size_t i = 0; i < std::min(old, block.size); i++)
                ASSERT_EQ(block.memory[i], block.byte);
            if (random() % 2 == 0) {
                own_free(block.memory);
                block = blocks.back();
                blocks.pop_back();
                continue;
            }
        }
        for (Owned& block : blocks)
            memset(block.memory, block.byte, block.size);
    }
    for (Owned& block : blocks)
        own_free(block.memory);
}

TEST(OwnMalloc, TheLastBlockGrowsInItsPlace) {
    void* memory = own_malloc(100);
    EXPECT_EQ(own_realloc(memory, 5000), memory);
    EXPECT_EQ(own_realloc(memory, 10), memory);
    own_free(memory);
}

TEST(OwnMalloc, StartsAgainWhenNothingIsLeft) {
    void* first = own_malloc(100);
    void* second = own_malloc(1 << 20);
    own_free(first);
    own_free(second);
    EXPECT_EQ(own_malloc(100), first);
    own_free(first);
}

TEST(OwnMalloc, ClearsAndRefuses) {
    auto* dirty = static_cast<char*>(own_malloc(64));
    memset(dirty, 1, 64);
    own_free(dirty);
    auto* clear = static_cast<char*>(own_calloc(8, 8));
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(clear[i], 0);
    own_free(clear);
    own_free(nullptr);
    volatile size_t huge = SIZE_MAX / 2;
    EXPECT_EQ(own_malloc(huge), nullptr);
    EXPECT_EQ(own_calloc(huge, 4), nullptr);
    void* memory = own_realloc(nullptr, 16);
    EXPECT_EQ(own_realloc(memory, huge), nullptr);
    own_free(memory);
}

TEST(OwnStrings, DoWhatLibcDoes) {
    std::mt19937 random(2);
    for (int step = 0; step < 20000; step++) {
        std::string a(64, '\0');
        for (char& c : a)
            c = char(random() % 4);
        std::string b = a;
        if (random() % 2 == 0) b[random() % 64] = char(random());
        const size_t from = random() % 32, to = random() % 32, size = random() % 32;
        std::string mine = a, theirs = a;
        own_memmove(&mine[to], &mine[from], size);
        memmove(&theirs[to], &theirs[from], size);
        ASSERT_EQ(mine, theirs);
        own_memcpy(&mine[to], &b[from], size);
        memcpy(&theirs[to], &b[from], size);
        ASSERT_EQ(mine, theirs);
        own_memset(&mine[to], step, size);
        memset(&theirs[to], step, size);
        ASSERT_EQ(mine, theirs);
        const char *x = a.c_str(), *y = b.c_str();
        ASSERT_EQ(sign(own_memcmp(x + from, y + from, size)),
                  sign(memcmp(x + from, y + from, size)));
        ASSERT_EQ(own_memchr(x + from, 3, size), memchr(x + from, 3, size));
        ASSERT_EQ(own_memrchr(x + from, 3, size), memrchr(x + from, 3, size));
        ASSERT_EQ(own_strlen(x + from), strlen(x + from));
        ASSERT_EQ(sign(own_strcmp(x + from, y + from)), sign(strcmp(x + from, y + from)));
        ASSERT_EQ(sign(own_strncmp(x + from, y + from, size)),
                  sign(strncmp(x + from, y + from, size)));
    }
}

}  // namespace
