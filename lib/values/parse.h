// What -A and -R say, as uftrace's users know it:
//
//   rule   := FUNC [ "@" MODULE ] [ "@" values ]     FUNC and MODULE are patterns, as in -F;
//                                                    "@" MODULE "," values is the same
//   values := value { "," value }
//   value  := ( "arg" N | "fparg" N | "retval" ) [ "/" format ] [ "%" place ]
//   format := LETTER [ BITS ]  |  BITS  |  "e:" NAME  |  "t" BITS [ "i" | "f" for each 8 bytes ]
//   place  := "a0" .. "a7" | "f12" .. "f19" | "stack+" N
#pragma once

#include <string_view>

#include "lib/values/value.h"

namespace mipstrace::values {

struct Rule {
    std::string_view function;  // pattern
    std::string_view module;    // pattern; empty: any
    std::string_view values;    // empty: all that the debug information tells
};

Rule split_rule(std::string_view text);

// Calls `visit(std::string_view)` for each rule in a list that ';' separates.
template <typename Visit>
void for_each_rule(std::string_view list, Visit&& visit) {
    for (size_t begin = 0; begin < list.size();) {
        size_t end = begin;
        while (end < list.size() && list[end] != ';')
            end++;
        if (end > begin) visit(std::string_view(list.data() + begin, end - begin));
        begin = end + 1;
    }
}

// Reads one value. Returns null, or what is wrong with it as the rest of a sentence. `enumeration`
// becomes the NAME behind "e:".
const char* parse_value(std::string_view text, Value* value, std::string_view* enumeration);

// Calls `visit(const Value&, std::string_view enumeration)` for each value in `values`. Returns
// null or, behind the first one that is wrong, what is; `wrong` becomes its text.
template <typename Visit>
const char* parse_values(std::string_view values, std::string_view* wrong, Visit&& visit) {
    unsigned count = 0;
    for (size_t begin = 0; begin <= values.size();) {
        size_t end = begin;
        while (end < values.size() && values[end] != ',')
            end++;
        *wrong = std::string_view(values.data() + begin, end - begin);
        Value value;
        std::string_view enumeration;
        if (const char* error = parse_value(*wrong, &value, &enumeration)) return error;
        if (++count > kMostValues) return "is one more than the 16 that one rule may have";
        visit(value, enumeration);
        begin = end + 1;
    }
    return nullptr;
}

}  // namespace mipstrace::values
