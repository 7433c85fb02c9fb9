// Writes the lines that come out, with markers (# 12 "file.s") where the count of lines is off, so
// that what the real assembler says about a line of the user's file names that file and that line.
#pragma once

#include <string>
#include <string_view>

#include "tools/as_filter/sled_mover.h"

namespace mipstrace::as_filter {

class LineMarker : public LineSink {
  public:
    // Appends to `out`. Begins a file: without a name (standard input) there are no markers.
    explicit LineMarker(std::string* out) : out_(out) {}
    void begin_file(std::string_view name);
    void line(std::string_view text, size_t source_line) override;

  private:
    std::string* out_;
    std::string quoted_name_;
    size_t expected_ = 0;
};

}  // namespace mipstrace::as_filter
