// Which functions a user wants: lists of patterns "GLOB[@MODULE-GLOB]".
#pragma once

#include <cstdint>
#include <string_view>

namespace mipstrace::filter {

// The separator between patterns in one string (an environment variable, an option).
inline constexpr char kSeparator = ';';

// One function as a filter sees it. `demangled` is empty where the name is not a C++ one.
struct FunctionName {
    std::string_view name;
    std::string_view demangled;  // with parameters: ns::f(int)
    std::string_view module;     // base name of the object's file: libfoo.so.1
};

// Calls `visit(std::string_view pattern)` for each pattern in `list` that is not empty.
template <typename Visit>
void for_each_pattern(std::string_view list, Visit&& visit) {
    for (size_t begin = 0; begin < list.size();) {
        size_t end = begin;
        while (end < list.size() && list[end] != kSeparator)
            end++;
        if (end > begin) visit(std::string_view(list.data() + begin, end - begin));
        begin = end + 1;
    }
}

// The address of a pattern that is one, "0x12000a40", of a function in a process; 0 for others.
uint64_t parse_address(std::string_view pattern);

// True if one of the patterns in `list` matches. A pattern is compared with the name as the linker
// knows it, with the demangled name, with that without its parameters, and with that without the
// return type which instances of templates have in front; the part
// behind '@' is compared with the module's base name. "@mod" alone means every function of it.
bool list_matches(std::string_view list, const FunctionName& function);

// The demangled name without parameters: "ns::f(int) const" -> "ns::f".
std::string_view without_parameters(std::string_view demangled);

// And without the return type: "int ns::twice<int>" -> "ns::twice<int>".
std::string_view without_return_type(std::string_view name);

// -F and -N together. An empty `wanted` means all. `unwanted` wins.
struct FunctionFilter {
    std::string_view wanted;
    std::string_view unwanted;
    bool empty() const { return wanted.empty() && unwanted.empty(); }
    bool matches(const FunctionName& function) const {
        return (wanted.empty() || list_matches(wanted, function)) &&
               !(!unwanted.empty() && list_matches(unwanted, function));
    }
};

}  // namespace mipstrace::filter
