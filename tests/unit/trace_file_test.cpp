// What is refused, what is read in part, and that nothing in a file can harm the reader.
#include "tools/model/trace_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>

#include "tests/unit/trace_builder.h"
#include "tools/model/call_stream.h"
#include "tools/model/data_error.h"
#include "tools/model/functions.h"
#include "tools/model/session.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

std::string small_trace(bool swap) {
    TraceBuilder trace(swap);
    trace.module("/bin/prog", 0x10000, 0x1000, 0x400000, "\x01\x02\x03");
    trace.module("/lib/libx.so", 0x20000, 0x2000);
    trace.metadata(format::MetaType::command, std::string("prog\0-x\0", 8));
    trace.metadata(format::MetaType::cwd, "/home");
    trace.chunk(7, 0, 1000);
    trace.enter(1100, 0x10000);
    trace.enter(1200, 0x20010);
    trace.left(1300, 0x20010);
    trace.sync(1400);
    trace.chunk(8, 0, 1050).lost[0] = 5;
    trace.enter(1060, 0x10010);
    trace.leave(1070, 0x10010);
    trace.chunk(7, 1, 1500);
    trace.leave(1600, 0x10000);
    trace.metadata_chunk();
    trace.module("/lib/late.so", 0x40000, 0x3000, 0, "\x04");
    return trace.bytes();
}

// Reads all that there is; the number of steps, or -1 if the file is refused.
int64_t read_all(const std::string& path) {
    try {
        TraceFile file(path);
        Functions functions({});
        FunctionsOfFile of_file(functions, file);
        int64_t steps = 0;
        for (const Thread& thread : file.threads()) {
            CallStream calls(file, thread, of_file, {});
            Step step;
            while (calls.next(&step))
                steps++;
        }
        return steps;
    } catch (const DataError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
        return -1;
    }
}

std::string refusal(const std::string& content) {
    TemporaryFile file(content);
    try {
        TraceFile trace(file.path());
    } catch (const DataError& error) {
        return error.what();
    }
    return "";
}

TEST(TraceFile, ReadsEitherByteOrder) {
    for (bool swap : {false, true}) {
        TemporaryFile file(small_trace(swap));
        TraceFile trace(file.path());
        EXPECT_EQ(trace.is_swapped(), swap);
        ASSERT_EQ(trace.modules().size(), 3u);
        EXPECT_EQ(trace.module_at(0x42ffc)->path, "/lib/late.so");
        EXPECT_EQ(trace.modules()[0].path, "/bin/prog");
        EXPECT_EQ(trace.modules()[0].build_id, "\x01\x02\x03");
        EXPECT_EQ(trace.modules()[0].address_of(0x10020), 0x400020u);
        EXPECT_EQ(trace.module_at(0x20010)->path, "/lib/libx.so");
        EXPECT_EQ(trace.module_at(0x1ffff), nullptr);
        EXPECT_EQ(trace.command(), (std::vector<std::string>{"prog", "-x"}));
        EXPECT_EQ(trace.cwd(), "/home");
        ASSERT_EQ(trace.threads().size(), 2u);
        EXPECT_EQ(trace.threads()[0].tid, 7u);
        EXPECT_EQ(trace.threads()[0].chunks.size(), 2u);
        EXPECT_EQ(trace.lost()[0], 5u);
        EXPECT_TRUE(trace.warnings().empty());
        EXPECT_EQ(read_all(file.path()), 7);  // six ends and begins, and a loss
    }
}

TEST(TraceFile, OtherByteOrderStandsInTheBytes) {
    std::string other = small_trace(true);
    std::string tag = other.substr(8, 4);
    const bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    EXPECT_EQ(tag, native_big ? "\4\3\2\1" : "\1\2\3\4");
}

TEST(TraceFile, TruncatedAtEachByte) {
    for (bool swap : {false, true}) {
        const std::string whole = small_trace(swap);
        TraceBuilder sizes;
        for (size_t size = 0; size < whole.size(); size++) {
            TemporaryFile file(whole.substr(0, size));
            int64_t steps = read_all(file.path());
            EXPECT_TRUE(size >= format::kMetaOffset || steps == -1) << size;
            EXPECT_TRUE(size < sizes.header.chunk_size || steps >= 0) << size;
        }
    }
}

TEST(TraceFile, CutChunkIsReadAndReported) {
    std::string whole = small_trace(false);
    TemporaryFile file(whole.substr(0, 4096 + 64 + 16 + 3));
    TraceFile trace(file.path());
    EXPECT_EQ(trace.threads().size(), 1u);
    EXPECT_EQ(trace.warnings().size(), 2u);  // inside a chunk, and whole chunks
    EXPECT_EQ(read_all(file.path()), 4);     // two calls begin, and are in flight
}

TEST(TraceFile, SaysWhatIsWrong) {
    EXPECT_NE(refusal("").find("empty"), std::string::npos);
    EXPECT_NE(refusal("no trace").find("not a mipstrace recording"), std::string::npos);
    EXPECT_NE(refusal("MIPSTRC\n").find("truncated"), std::string::npos);
    TraceBuilder trace;
    trace.header.version = 9;
    EXPECT_NE(refusal(trace.bytes()).find("version 9"), std::string::npos);
    trace = TraceBuilder();
    trace.header.endian_tag = 0x01020305;
    EXPECT_NE(refusal(trace.bytes()).find("byte order"), std::string::npos);
    trace = TraceBuilder();
    trace.header.abi = 4;
    EXPECT_NE(refusal(trace.bytes()).find("ABI"), std::string::npos);
    for (uint32_t size : {0u, 1u, 2048u, 4097u, 0x80000000u}) {
        std::string bytes = TraceBuilder().bytes();
        std::memcpy(&bytes[24], &size, sizeof size);
        EXPECT_NE(refusal(bytes).find("chunk size"), std::string::npos) << size;
    }
}

TEST(TraceFile, RandomBytes) {
    for (unsigned seed = 0; seed < 500; seed++) {
        std::mt19937 random(seed);
        std::string bytes(random() % 20000, '\0');
        for (char& c : bytes)
            c = char(random());
        // Half of them pass for a trace at first sight.
        std::string head = TraceBuilder().bytes().substr(0, seed % 2 == 0 ? 0 : 40);
        bytes.replace(0, std::min(head.size(), bytes.size()), head, 0, bytes.size());
        TemporaryFile file(bytes);
        read_all(file.path());
    }
}

TEST(TraceFile, ChangedBytes) {
    for (unsigned seed = 0; seed < 3000; seed++) {
        std::mt19937 random(seed);
        std::string bytes = small_trace(seed % 2 == 0);
        for (int changes = 1 + int(random() % 8); changes > 0; changes--) {
            // Mostly where something stands.
            size_t areas[] = {0, format::kMetaOffset, 4096, 8192, 12288, 16384, random() % 16384};
            size_t at = areas[random() % 7] + random() % 200;
            bytes[at] = random() % 3 == 0 ? char(0xff) : char(random());
        }
        TemporaryFile file(bytes);
        read_all(file.path());
    }
}

TEST(TraceFile, HostileCountsCostNothing) {
    TraceBuilder trace;
    trace.header.next_chunk = 0xffffffff;
    trace.chunk(1, 0, 0).depth = 0xffffffff;
    TemporaryFile file(trace.bytes());
    TraceFile opened(file.path());
    EXPECT_EQ(opened.threads().size(), 1u);
    ASSERT_EQ(opened.warnings().size(), 1u);
    EXPECT_EQ(read_all(file.path()), 0);
}

TEST(TraceFile, HugeHoleIsSkipped) {
    TraceBuilder trace;
    trace.header.next_chunk = 0xffffffff;
    trace.chunk(1, 0, 0);
    trace.enter(1, 0x10000);
    TemporaryFile file(trace.bytes());
    if (truncate(file.path().c_str(), off_t(1) << 40) != 0) GTEST_SKIP() << "no sparse files here";
    EXPECT_EQ(read_all(file.path()), 2);
}

TEST(TraceFile, ThreadIdThatIsUsedAgain) {
    TraceBuilder trace;
    for (int life = 0; life < 2; life++) {
        for (uint32_t sequence : {0u, 1u}) {
            trace.chunk(5, sequence, uint64_t(life * 1000) + sequence * 100).thread =
                uint32_t(life);
            trace.enter(uint64_t(life * 1000) + sequence * 100 + 1, 0x10000);
            trace.leave(uint64_t(life * 1000) + sequence * 100 + 2, 0x10000);
        }
    }
    TemporaryFile file(trace.bytes());
    TraceFile opened(file.path());
    ASSERT_EQ(opened.threads().size(), 2u);
    EXPECT_EQ(opened.threads()[1].chunks.front().index, 3u);
}

// What a flight recorder leaves: of thread 5's first life the end, of its second one all; a chunk
// that was being begun again; one of a thread that has moved on.
TraceBuilder ring_trace() {
    TraceBuilder trace;
    trace.header.buffer_chunks = 5;
    trace.header.overwritten = 40;
    auto chunk = [&](uint32_t tid, uint32_t thread, uint32_t sequence, uint64_t at,
                     uint32_t depth) -> format::ChunkHeader& {
        format::ChunkHeader& header = trace.chunk(tid, sequence, at);
        header.thread = thread;
        header.depth = depth;
        trace.enter(at + 1, 0x10000);
        trace.leave(at + 2, 0x10000);
        return header;
    };
    chunk(5, 2, 1, 4000, 0);
    chunk(6, 3, 8, 2000, 0).magic = 0;
    chunk(6, 3, 7, 1900, 2);
    chunk(5, 2, 0, 3000, 0);
    chunk(5, 1, 7, 1000, 1);
    return trace;
}

TEST(TraceFile, ChunksThatWereWrittenAgain) {
    TemporaryFile file(ring_trace().bytes());
    TraceFile opened(file.path());
    EXPECT_TRUE(opened.warnings().empty());
    ASSERT_EQ(opened.threads().size(), 3u);
    std::vector<std::pair<uint32_t, size_t>> found;
    for (const Thread& thread : opened.threads())
        found.emplace_back(thread.tid, thread.chunks.size());
    EXPECT_EQ(found, (std::vector<std::pair<uint32_t, size_t>>{{5, 1}, {6, 1}, {5, 2}}));
    EXPECT_EQ(opened.threads()[2].chunks[0].sequence, 0u);
    EXPECT_EQ(read_all(file.path()), 8);
    EXPECT_EQ(opened.lost(), LossCounts{});
    Session session(file.path());
    EXPECT_EQ(session.overwritten(), 40 * uint64_t(format::kMinChunkSize));
}

TEST(TraceFile, ChunksThatSayTheyAreTheSame) {
    TraceBuilder trace = ring_trace();
    for (int i = 0; i < 3; i++) {
        trace.chunk(5, 1, 5000).thread = 2;
        trace.leave(5001, 0x10000);
        trace.enter(5002, 0x10000);
    }
    TemporaryFile file(trace.bytes());
    TraceFile opened(file.path());
    ASSERT_EQ(opened.threads().size(), 3u);
    EXPECT_EQ(opened.threads()[2].chunks.size(), 5u);
    EXPECT_GT(read_all(file.path()), 8);
}

TEST(TraceFile, ImpossibleModulesAreIgnored) {
    TraceBuilder trace;
    trace.module("/no-base", 0, 0x1000);
    trace.module("/odd-base", 0x10002, 0x1000);
    trace.module("/too-large", 0xffff0000, 0x20000);
    trace.module("/good", 0x10000, 0x20000);
    trace.module("/overlaps", 0x20000, 0x1000);
    TemporaryFile file(trace.bytes());
    TraceFile opened(file.path());
    ASSERT_EQ(opened.modules().size(), 2u);
    EXPECT_EQ(opened.module_at(0x20000)->path, "/overlaps");
    EXPECT_EQ(opened.warnings().size(), 4u);
}

TEST(TraceFile, MetadataGoesOnInChunksOfItsOwn) {
    TraceBuilder trace;
    trace.module("/first", 0x10000, 0x1000);
    trace.metadata_chunk();
    trace.module("/third", 0x30000, 0x1000);
    trace.chunk(1, 0, 0);
    trace.enter(1, 0x20000);
    trace.metadata_chunk();
    trace.module("/second", 0x20000, 0x1000);
    trace.metadata(format::MetaType::message, "said late");
    TemporaryFile file(trace.bytes());
    TraceFile opened(file.path());
    ASSERT_EQ(opened.modules().size(), 3u);
    EXPECT_EQ(opened.module_at(0x20000)->path, "/second");
    EXPECT_EQ(opened.module_at(0x30ffc)->path, "/third");
    EXPECT_EQ(opened.messages(), std::vector<std::string>{"said late"});
    EXPECT_TRUE(opened.warnings().empty());
    EXPECT_EQ(opened.threads().size(), 1u);
}

TEST(TraceFile, AMetadataChunkThatClaimsTooMuchIsIgnored) {
    for (uint32_t used : {4096u - 16u + 1u, 0xffffffffu}) {
        TraceBuilder trace;
        trace.metadata_chunk().used = used;
        trace.metadata_chunk();
        trace.module("/good", 0x10000, 0x1000);
        TemporaryFile file(trace.bytes());
        TraceFile opened(file.path());
        EXPECT_EQ(opened.modules().size(), 1u);
        ASSERT_EQ(opened.warnings().size(), 1u);
        EXPECT_NE(opened.warnings()[0].find("chunk 1 "), std::string::npos);
    }
}

TEST(Session, SnapshotsAreChosenByNumber) {
    TemporaryFile name("");
    const std::string folder = name.path() + ".data";
    ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
    auto add = [&](const std::string& file, const std::string& content) {
        FILE* out = fopen((folder + "/" + file).c_str(), "w");
        fwrite(content.data(), 1, content.size(), out);
        fclose(out);
    };
    auto files_of = [&](uint32_t snapshot) {
        std::vector<std::string> names;
        Session session(folder, snapshot);
        EXPECT_FALSE(session.is_damaged());
        EXPECT_EQ(session.snapshots(), (std::vector<uint32_t>{1, 2, 11}));
        for (const auto& file : session.files())
            names.push_back(file->path().substr(folder.size() + 1));
        return names;
    };
    auto refusal = [&](uint32_t snapshot) -> std::string {
        try {
            Session session(folder, snapshot);
        } catch (const DataError& error) {
            return error.what();
        }
        return "";
    };
    using Names = std::vector<std::string>;
    for (const char* file : {"7-0.snapshot-1.trace", "7-0.snapshot-2.trace",
                             "7-0.snapshot-11.trace", "8-0.snapshot-1.trace"})
        add(file, small_trace(false));
    add("7-0.unfinished-12.trace", "");
    EXPECT_NE(refusal(0).find("--snapshot, of 1, 2, 11"), std::string::npos) << refusal(0);
    add("7-0.trace", small_trace(false));
    add("my.own-3.trace", small_trace(false));
    EXPECT_EQ(files_of(0), (Names{"7-0.trace", "my.own-3.trace"}));
    EXPECT_EQ(files_of(1), (Names{"7-0.snapshot-1.trace", "8-0.snapshot-1.trace"}));
    EXPECT_EQ(files_of(11), (Names{"7-0.snapshot-11.trace"}));
    EXPECT_NE(refusal(3).find("no snapshot 3: it has those 1, 2, 11"), std::string::npos);
    EXPECT_NE(refusal(12).find("no snapshot 12"), std::string::npos);
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        unlink(entry.path().c_str());
    EXPECT_NE(refusal(1).find("it has none"), std::string::npos);
    rmdir(folder.c_str());
}

TEST(Session, OddInfoIsIgnored) {
    TemporaryFile name("");
    const std::string folder = name.path() + ".data";
    const std::string info = folder + "/" + kSessionFile;
    ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
    auto is_ignored = [&] {
        Session session(folder);
        return session.warnings() == std::vector<std::string>{info + " is damaged and ignored"};
    };
    ASSERT_EQ(mkfifo(info.c_str(), 0600), 0);
    EXPECT_TRUE(is_ignored());
    ASSERT_EQ(unlink(info.c_str()), 0);
    ASSERT_EQ(mkdir(info.c_str(), 0700), 0);
    EXPECT_TRUE(is_ignored());
    ASSERT_EQ(rmdir(info.c_str()), 0);
    FILE* out = fopen(info.c_str(), "w");
    fputs("{}", out);
    fclose(out);
    EXPECT_FALSE(is_ignored());
    ASSERT_EQ(truncate(info.c_str(), off_t(1) << 40), 0);
    EXPECT_TRUE(is_ignored());
    unlink(info.c_str());
    rmdir(folder.c_str());
}

}  // namespace
}  // namespace mipstrace::tools
