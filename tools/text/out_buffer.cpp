#include "tools/text/out_buffer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <charconv>

#include "tools/model/data_error.h"

namespace mipstrace::tools {

void OutBuffer::number(uint64_t value, size_t width) {
    char digits[24];
    auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    size_t size = size_t(end - digits);
    if (size < width) spaces(width - size);
    add(std::string_view(digits, size));
}

void OutBuffer::flush() {
    std::string_view rest = text_;
    while (!rest.empty()) {
        ssize_t n = write(fd_, rest.data(), rest.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            text_.clear();
            if (errno == EPIPE) throw ClosedPipe();
            throw DataError(std::string("cannot write the output: ") + strerror(errno));
        }
        rest.remove_prefix(size_t(n));
    }
    text_.clear();
}

}  // namespace mipstrace::tools
