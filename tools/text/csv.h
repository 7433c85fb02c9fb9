#pragma once

#include <string>
#include <string_view>

namespace mipstrace::tools {

// A field of a CSV line as RFC 4180 wants it: quoted when it holds a comma, a quote or a line end.
inline std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace mipstrace::tools
