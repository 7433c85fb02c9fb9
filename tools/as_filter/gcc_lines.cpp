#include "tools/as_filter/gcc_lines.h"

namespace mipstrace::as_filter {

bool is_sled_label(std::string_view label) {
    if (label.size() < 6 || (label[0] != '.' && label[0] != '$')) return false;
    if (label.substr(1, 4) != "LPFE") return false;
    return label.find_first_not_of("0123456789", 5) == std::string_view::npos;
}

bool is_compressed_mode(const Statement& s) {
    return s.is(".set", "mips16") || s.is(".set", "micromips");
}

bool is_frame_directive(const Statement& s) {
    return s.op == ".frame" || s.op == ".mask" || s.op == ".fmask";
}

bool is_data_word(const Statement& s) {
    return s.op == ".8byte" || s.op == ".4byte" || s.op == ".dword" || s.op == ".word" ||
           s.op == ".quad" || s.op == ".long";
}

bool is_quiet(const Statement& s) {
    if (s.has_more || !s.label.empty()) return false;
    return s.op.empty() || s.op == ".set" || s.op == ".loc" || s.op.starts_with(".cfi_") ||
           is_frame_directive(s);
}

}  // namespace mipstrace::as_filter
