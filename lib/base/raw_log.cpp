#include "lib/base/raw_log.h"

#include <errno.h>

#include "lib/base/quiet_write.h"

namespace mipstrace {

LogLine::LogLine(std::string_view who) {
    *this << who << ": ";
}

LogLine::~LogLine() {
    buffer_[size_++] = '\n';
    write_quietly(2, buffer_, size_);
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
        case ELOOP:
            return *this << "it is a symbolic link";
        case EISDIR:
            return *this << "it is a folder";
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
