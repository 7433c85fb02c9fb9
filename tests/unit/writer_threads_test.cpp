// Threads that use one trace file at the same time.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lib/record/trace_file.h"

namespace mipstrace::record {
namespace {

constexpr size_t kThreads = 4;
constexpr uint32_t kChunksEach = 8;

void in_threads(void (*work)(uint32_t number)) {
    std::vector<std::thread> threads;
    for (uint32_t number = 0; number < kThreads; number++)
        threads.emplace_back(work, number);
    for (std::thread& thread : threads)
        thread.join();
}

TraceFile file;
std::string folder;

bool create() {
    return file.create(folder.c_str(), format::ClockId::mono);
}

class WriterThreads : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "/mipstrace-writers-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        file.create_anew_with(create, [] { return false; });
        ASSERT_TRUE(create());
    }
    void TearDown() override {
        file.leave_to_parent(0);
        std::filesystem::remove_all(folder);
    }
};

// As a thread fills its chunks, one behind the other through a window.
void fill_chunks(uint32_t number) {
    // Where caches have aliases, the kernel maps a file only to addresses that fit the offset.
    void* const room = mmap(nullptr, 2 * kChunkSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* const window =
        static_cast<char*>(room) + (-reinterpret_cast<uintptr_t>(room) & (kChunkSize - 1));
    for (uint32_t sequence = 0; sequence < kChunksEach; sequence++) {
        ASSERT_NE(file.map_chunk(window, number + 1), 0u);
        auto* header = static_cast<format::ChunkHeader*>(window);
        header->tid = number + 1;
        header->sequence = sequence;
        header->magic = format::kChunkMagic;
        file.count_loss(format::Loss::recursion, 1);
    }
    munmap(room, 2 * kChunkSize);
}

TEST_F(WriterThreads, GetChunksOfTheirOwn) {
    in_threads(fill_chunks);
    EXPECT_EQ(file.header().next_chunk, 1 + kThreads * kChunksEach);
    EXPECT_EQ(file.header().lost[size_t(format::Loss::recursion)], kThreads * kChunksEach);
    std::set<std::pair<uint32_t, uint32_t>> found;
    FILE* in = fopen(file.path(), "r");
    for (uint32_t index = 1; index < file.header().next_chunk; index++) {
        format::ChunkHeader header;
        ASSERT_EQ(fseek(in, long(index) * kChunkSize, SEEK_SET), 0);
        ASSERT_EQ(fread(&header, sizeof header, 1, in), 1u);
        EXPECT_EQ(header.magic, format::kChunkMagic);
        found.emplace(header.tid, header.sequence);
    }
    fclose(in);
    EXPECT_EQ(found.size(), kThreads * kChunksEach);
}

TEST_F(WriterThreads, MakeTheChildsFileOnce) {
    file.leave_to_parent(0);
    in_threads([](uint32_t number) {
        EXPECT_TRUE(file.ensure_open());
        fill_chunks(number);
    });
    auto files = std::filesystem::directory_iterator(folder);
    EXPECT_EQ(std::distance(begin(files), end(files)), 2);  // the parent's, and one
    EXPECT_EQ(file.header().next_chunk, 1 + kThreads * kChunksEach);
}

}  // namespace
}  // namespace mipstrace::record
