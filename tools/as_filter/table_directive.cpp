#include "tools/as_filter/table_directive.h"

#include <vector>

namespace mipstrace::as_filter {

namespace {

constexpr std::string_view kTable = "__patchable_function_entries";

bool has_flag(std::string_view quoted, char flag) {
    return quoted.find(flag) != std::string_view::npos;
}

}  // namespace

bool is_table_directive(const Statement& s) {
    if (s.op != ".section" || !s.label.empty() || s.has_more) return false;
    std::vector<std::string_view> args = split_args(s.args);
    return !args.empty() && args[0] == kTable;
}

std::string_view comdat_group(const Statement& s) {
    if (s.op != ".section") return {};
    // name, "flags", @type [, entity size if M] [, linked-to if o] [, group if G], comdat
    std::vector<std::string_view> args = split_args(s.args);
    if (args.size() < 5 || !has_flag(args[1], 'G') || args.back() != "comdat") return {};
    return args[args.size() - 2];
}

std::string linked_table_directive(const std::string& line, std::string_view label,
                                   std::string_view group) {
    std::vector<std::string_view> args = split_args(parse(line).args);
    std::string_view flags = args.size() > 1 ? args[1] : "\"aw\"";
    std::string_view type = args.size() > 2 ? args[2] : "@progbits";
    if (flags.size() < 2 || flags.front() != '"' || has_flag(flags, '?')) return line;
    if (!has_flag(flags, 'o') && group.empty()) return line;

    std::string out = "\t.section\t" + std::string(kTable) + ",";
    out += flags.substr(0, flags.size() - 1);
    if (!group.empty() && !has_flag(flags, 'G')) out += 'G';
    out += "\",";
    out += type;
    if (has_flag(flags, 'o')) (out += ',') += label;
    if (!group.empty())
        ((out += ',') += group) += ",comdat";
    else if (has_flag(flags, 'G') && args.size() >= 5)
        ((out += ',') += args[args.size() - 2]) += ",comdat";
    return out;
}

}  // namespace mipstrace::as_filter
