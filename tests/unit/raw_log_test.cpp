#include "lib/base/raw_log.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/captured_stderr.h"

namespace mipstrace {
namespace {

std::string decimal(uint64_t number) {
    char buffer[20];
    return {buffer, format_decimal(number, buffer)};
}

TEST(FormatDecimal, WritesTheDigits) {
    for (uint64_t n : {uint64_t(0), uint64_t(7), uint64_t(10), uint64_t(12345),
                       uint64_t(9'999'999'999), uint64_t(INT64_MAX), UINT64_MAX})
        EXPECT_EQ(decimal(n), std::to_string(n));
}

TEST(LogLine, WritesOneLineAtTheEndOfItsLife) {
    CapturedStderr captured;
    {
        LogLine line;
        line << "answer " << uint64_t(42) << ", " << std::string_view("more");
        EXPECT_EQ(line.text(), "mipstrace: answer 42, more");
    }
    EXPECT_EQ(captured.take(), "mipstrace: answer 42, more\n");
}

TEST(LogLine, CutsWhatIsTooLong) {
    CapturedStderr captured;
    LogLine() << std::string(600, 'x') << "end" << uint64_t(7);
    const std::string text = captured.take();
    EXPECT_EQ(text.size(), 512u);
    EXPECT_EQ(text, "mipstrace: " + std::string(500, 'x') + "\n");
}

TEST(LogLine, NamesErrors) {
    CapturedStderr captured;
    EXPECT_EQ(LogLine().error(ENOENT).text(), "mipstrace: no such file or directory");
    EXPECT_EQ(LogLine().error(ENOSPC).text(), "mipstrace: no space left on the device");
    EXPECT_EQ(LogLine().error(EACCES).text(), "mipstrace: permission denied");
    EXPECT_EQ(LogLine().error(4711).text(), "mipstrace: error 4711");
}

TEST(LogLine, KeepsErrno) {
    errno = ERANGE;
    {
        CapturedStderr captured;
        errno = ERANGE;
        LogLine() << "x";
        EXPECT_EQ(errno, ERANGE);
    }
}

TEST(LogLine, AClosedStandardErrorIsNoFault) {
    const int saved = dup(2);
    close(2);
    errno = ERANGE;
    LogLine() << "nobody reads this";
    EXPECT_EQ(errno, ERANGE);
    dup2(saved, 2);
    close(saved);
}

}  // namespace
}  // namespace mipstrace
