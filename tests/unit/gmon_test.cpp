// What is written as gmon.out is read as it was meant, and what is none is refused with a reason.
#include <errno.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "lib/arcs/gmon_writer.h"
#include "tools/arcs/gmon_reader.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {
namespace {

constexpr GmonShape kOurs{__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(void*) == 8};

template <typename F>
std::string written(F&& write) {
    FILE* file = tmpfile();
    gmon::GmonWriter writer(fileno(file));
    write(writer);
    EXPECT_EQ(writer.finish(), 0);
    std::string data(size_t(lseek(fileno(file), 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(fileno(file), data.data(), data.size(), 0), ssize_t(data.size()));
    fclose(file);
    return data;
}

std::string refusal(const std::string& data, GmonShape shape = kOurs) {
    try {
        read_gmon(data, "FILE", shape);
    } catch (const DataError& error) {
        return error.what();
    }
    return "";
}

TEST(Gmon, ReadsWhatWasWritten) {
    const uint16_t bins[] = {0, 3, 65535};
    const std::string data = written([&](gmon::GmonWriter& writer) {
        writer.histogram({0x1000, 0x100c, bins, 3});
        writer.arc(0x1000, 0x1004, 7);
        writer.arc(0, 0x1008, 0);  // no call, no arc
        writer.arc(0, 0x1008, 1);
    });
    const GmonContent content = read_gmon(data, "FILE", kOurs);
    ASSERT_EQ(content.histograms.size(), 1u);
    EXPECT_EQ(content.histograms[0].low, 0x1000u);
    EXPECT_EQ(content.histograms[0].high, 0x100cu);
    EXPECT_EQ(content.histograms[0].rate, 100u);
    EXPECT_EQ(content.histograms[0].bins, (std::vector<uint16_t>{0, 3, 65535}));
    ASSERT_EQ(content.arcs.size(), 2u);
    EXPECT_EQ(content.arcs[0].from, 0x1000u);
    EXPECT_EQ(content.arcs[0].to, 0x1004u);
    EXPECT_EQ(content.arcs[0].count, 7u);
    EXPECT_EQ(content.arcs[1].from, 0u);
}

TEST(Gmon, HasAHistogramWithoutSamples) {
    const std::string data = written([](gmon::GmonWriter& writer) {
        writer.histogram({0x1000, 0x2000});
    });
    const GmonContent content = read_gmon(data, "FILE", kOurs);
    ASSERT_EQ(content.histograms.size(), 1u);
    EXPECT_EQ(content.histograms[0].bins, std::vector<uint16_t>{0});
}

TEST(Gmon, SplitsCountsThatARecordCannotHold) {
    const uint64_t count = 3 * uint64_t(UINT32_MAX) + 5;
    const std::string data = written([&](gmon::GmonWriter& writer) { writer.arc(1, 2, count); });
    const GmonContent content = read_gmon(data, "FILE", kOurs);
    ASSERT_EQ(content.arcs.size(), 4u);
    uint64_t sum = 0;
    for (const RawArc& arc : content.arcs)
        sum += arc.count;
    EXPECT_EQ(sum, count);
}

TEST(Gmon, IsWholeBeyondTheBuffer) {
    const std::string data = written([](gmon::GmonWriter& writer) {
        for (uintptr_t i = 1; i <= 1000; i++)
            writer.arc(i, i + 1, i);
    });
    const GmonContent content = read_gmon(data, "FILE", kOurs);
    ASSERT_EQ(content.arcs.size(), 1000u);
    EXPECT_EQ(content.arcs[999].count, 1000u);
}

TEST(Gmon, SaysWhyItCannotWrite) {
    FILE* full = fopen("/dev/full", "w");
    ASSERT_NE(full, nullptr);
    gmon::GmonWriter writer(fileno(full));
    writer.arc(1, 2, 3);
    EXPECT_EQ(writer.finish(), ENOSPC);
    fclose(full);
}

TEST(Gmon, RefusesWhatIsNone) {
    const std::string good = written([](gmon::GmonWriter& writer) { writer.arc(1, 2, 3); });
    EXPECT_EQ(refusal(""), "FILE is no gmon.out");
    EXPECT_EQ(refusal("a text that is longer than a header"), "FILE is no gmon.out");
    EXPECT_EQ(refusal(good), "");
    EXPECT_EQ(refusal(good.substr(0, good.size() - 1)), "FILE ends in the middle of a record");
    EXPECT_EQ(refusal(good + '\1'), "FILE ends in the middle of a record");
    EXPECT_EQ(refusal(good + '\7'),
              "FILE has a record of an unknown kind (7): is it of another program?");
    EXPECT_EQ(refusal(good, {!kOurs.is_big_endian, kOurs.is_64}),
              "FILE is of a program of the other byte order");
    std::string other = good;
    other[4] = other[7] = 9;
    EXPECT_EQ(refusal(other), "FILE is a gmon.out of an unknown version");
}

TEST(Gmon, RefusesAHistogramThatClaimsMoreThanThereIs) {
    std::string data = written([](gmon::GmonWriter& writer) { writer.histogram({0, 16}); });
    for (size_t i = 0; i < 4; i++)
        data[20 + 1 + 2 * sizeof(void*) + i] = '\x7f';
    EXPECT_EQ(refusal(data), "FILE ends in the middle of a record");
}

}  // namespace
}  // namespace mipstrace::tools
