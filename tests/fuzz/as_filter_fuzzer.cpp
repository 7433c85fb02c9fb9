// Assembler text through the filter: it moves sleds, and touches nothing else.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/check.h"
#include "tools/as_filter/gcc_lines.h"
#include "tools/as_filter/line_marker.h"
#include "tools/as_filter/sled_mover.h"
#include "tools/as_filter/table_directive.h"

using namespace mipstrace::as_filter;

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string filter(std::string_view text, const std::string& name, SledOptions options) {
    std::string out;
    LineMarker marker(&out);
    marker.begin_file(name);
    SledMover mover(&marker, options);
    for (std::string_view line : lines_of(text))
        mover.line(line);
    mover.finish();
    return out;
}

// What a sled consists of, and what stands around it while it moves.
bool is_of_sled(const Statement& s) {
    return s.empty() || (s.label.empty() && s.op == "nop") || s.op == ".set" ||
           is_sled_label(s.label) || is_table_directive(s);
}

struct Rest {
    std::string lines;
    size_t nops = 0;
    size_t labels = 0;
    size_t tables = 0;
    bool operator==(const Rest&) const = default;
};

Rest without_sleds(std::string_view text) {
    Rest rest;
    for (std::string_view line : lines_of(text)) {
        const Statement s = parse(line);
        rest.nops += s.op == "nop" && s.label.empty();
        rest.labels += is_sled_label(s.label);
        rest.tables += is_table_directive(s);
        if (!is_of_sled(s)) (rest.lines += line) += '\n';
    }
    return rest;
}

bool holds_sleds(std::string_view text) {
    for (std::string_view line : lines_of(text)) {
        const Statement s = parse(line);
        if (is_sled_label(s.label) || is_table_directive(s)) return true;
    }
    return false;
}

void check_markers(const std::string& text, const std::string& out) {
    constexpr char kName[] = "a \"fuzzed\" file.s";
    constexpr std::string_view kQuoted = " \"a \\\"fuzzed\\\" file.s\"";
    if (text.find(kQuoted) != std::string::npos) return;
    const std::string marked = filter(text, kName, {});
    std::string bare;
    for (std::string_view line : lines_of(marked))
        if (!line.ends_with(kQuoted)) (bare += line) += '\n';
    FUZZ_CHECK(bare == out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    if (!text.empty() && text.back() != '\n') text += '\n';
    const std::string out = filter(text, "", {});
    if (!holds_sleds(text)) FUZZ_CHECK(out == text);
    FUZZ_CHECK(without_sleds(out) == without_sleds(text));
    check_markers(text, out);
    const std::string kept = filter(text, "", {.nops = 5, .nops_before = 2});
    FUZZ_CHECK(without_sleds(kept) == without_sleds(text));
    return 0;
}
