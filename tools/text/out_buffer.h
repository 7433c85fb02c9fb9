// Standard output with a buffer of its own: replay writes tens of millions of lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mipstrace::tools {

// Nobody reads our output any more (`mipstrace replay | head`). main() ends quietly.
struct ClosedPipe {};

class OutBuffer {
  public:
    explicit OutBuffer(int fd) : fd_(fd) { text_.reserve(kSize + 4096); }
    OutBuffer(const OutBuffer&) = delete;
    OutBuffer& operator=(const OutBuffer&) = delete;

    void add(std::string_view text) {
        text_.append(text);
        if (text_.size() >= kSize) flush();
    }
    void add(char c) { text_.push_back(c); }
    void spaces(size_t count) { text_.append(count, ' '); }
    // Right-aligned in `width` columns.
    void number(uint64_t value, size_t width = 0);
    // Throws ClosedPipe, or DataError when the output can't be written. To be called at the end.
    void flush();

  private:
    static constexpr size_t kSize = 64 * 1024;

    int fd_;
    std::string text_;
};

}  // namespace mipstrace::tools
