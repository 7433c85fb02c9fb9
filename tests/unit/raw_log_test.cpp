#include "lib/base/raw_log.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

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

volatile sig_atomic_t signals;
void count_signal(int) {
    signals = signals + 1;
}

TEST(LogLine, AFileThatMayNotGrowBringsNoSignal) {
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const auto old = signal(SIGXFSZ, count_signal);
    {
        CapturedStderr captured;
        const rlimit none{0, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
        LogLine() << "no room for this";
        setrlimit(RLIMIT_FSIZE, &before);
        EXPECT_EQ(captured.take(), "");
    }
    EXPECT_EQ(signals, 0);
    raise(SIGXFSZ);
    EXPECT_EQ(signals, 1);
    signals = 0;
    signal(SIGXFSZ, old);
}

TEST(LogLine, APipeThatNobodyReadsBringsNoSignal) {
    const auto old = signal(SIGPIPE, count_signal);
    const int saved = dup(2);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    LogLine() << "nobody reads this";
    dup2(saved, 2);
    close(saved);
    EXPECT_EQ(signals, 0);
    signal(SIGPIPE, old);
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
