#include "tools/as_filter/line_marker.h"

namespace mipstrace::as_filter {

void LineMarker::begin_file(std::string_view name) {
    quoted_name_.clear();
    expected_ = 0;
    if (name.empty()) return;
    quoted_name_ += '"';
    for (char c : name) {
        if (c == '"' || c == '\\') quoted_name_ += '\\';
        quoted_name_ += c;
    }
    quoted_name_ += '"';
}

void LineMarker::line(std::string_view text, size_t source_line) {
    if (!quoted_name_.empty() && source_line != 0 && source_line != expected_)
        ((((*out_ += "# ") += std::to_string(source_line)) += ' ') += quoted_name_) += '\n';
    (*out_ += text) += '\n';
    expected_ = source_line != 0 ? source_line + 1 : 0;
    // GCC's end of an inline assembler statement: back to the physical file, which is not the
    // user's.
    if (text.starts_with("# 0 \"\" 2")) expected_ = 0;
}

}  // namespace mipstrace::as_filter
