#include "lib/base/raw_log.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "lib/base/block_signals.h"
#include "lib/base/syscall.h"

namespace mipstrace {

LogLine::LogLine() {
    *this << "mipstrace: ";
}

namespace {

// Standard error may be a file that has reached RLIMIT_FSIZE, or a pipe that nobody reads: the
// signal of that is not for the program.
void write_without_signal(const char* text, size_t size) {
    BlockSignals quiet;
    KernelSigset pending{};
    raw_syscall(SYS_rt_sigpending, &pending, sizeof pending);
    const long result = raw_syscall(SYS_write, 2, text, size);
    const int sent = result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;
    if (sent == 0) return;
    if (pending.holds(sent)) return;  // the program's own
    const KernelSigset set = KernelSigset::of(sent);
    const KernelTimespec at_once{};
    raw_syscall(SYS_rt_sigtimedwait, &set, nullptr, &at_once, sizeof set);
}

}  // namespace

LogLine::~LogLine() {
    buffer_[size_++] = '\n';
    write_without_signal(buffer_, size_);
}

LogLine& LogLine::operator<<(std::string_view text) {
    for (char c : text) {
        if (size_ + 1 < sizeof buffer_) buffer_[size_++] = c;
    }
    return *this;
}

LogLine& LogLine::operator<<(uint64_t number) {
    char digits[20];
    return *this << std::string_view(digits, format_decimal(number, digits));
}

LogLine& LogLine::error(int number) {
    switch (number) {
        case EACCES:
            return *this << "permission denied";
        case EPERM:
            return *this << "operation not permitted";
        case ENOENT:
            return *this << "no such file or directory";
        case ENOTDIR:
            return *this << "not a directory";
        case ENOSPC:
            return *this << "no space left on the device";
        case EDQUOT:
            return *this << "disk quota exceeded";
        case EROFS:
            return *this << "read-only file system";
        case EFBIG:
            return *this << "file size limit reached";
        case EMFILE:
            return *this << "too many open files";
        case ENOMEM:
            return *this << "not enough memory";
        case ENAMETOOLONG:
            return *this << "path too long";
        default:
            return *this << "error " << uint64_t(number);
    }
}

size_t format_decimal(uint64_t number, char* buffer) {
    char reversed[20];
    size_t size = 0;
    do {
        reversed[size++] = char('0' + number % 10);
        number /= 10;
    } while (number != 0);
    for (size_t i = 0; i < size; i++)
        buffer[i] = reversed[size - 1 - i];
    return size;
}

}  // namespace mipstrace
