// One line of assembler text, cut into the parts that the filter looks at. Views into the line.
#pragma once

#include <string_view>
#include <vector>

namespace mipstrace::as_filter {

struct Statement {
    std::string_view label;  // "foo" of "foo:", with its quotes if it has them
    std::string_view op;     // directive or instruction, "=" for an assignment
    std::string_view args;   // what follows, without comment and surrounding blanks
    bool has_more = false;   // a ';' follows, with statements that were not looked at

    bool empty() const { return label.empty() && op.empty(); }
    bool is_directive() const { return !op.empty() && (op[0] == '.' || op[0] == '='); }
    bool is_instruction() const { return has_more || (!op.empty() && !is_directive()); }
    bool is(std::string_view name, std::string_view value) const {
        return op == name && args == value;
    }
    // .section, .text and the other directives after which code lands elsewhere
    bool switches_section() const;
};

Statement parse(std::string_view line);

// "a, "b,c" ,d" -> a | "b,c" | d
std::vector<std::string_view> split_args(std::string_view args);

}  // namespace mipstrace::as_filter
