#include "tools/model/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "lib/filter/function_filter.h"

namespace mipstrace::tools {

namespace {

// A hostile name can make the demangler's output exponentially longer than itself.
constexpr size_t kLongestName = 16 * 1024;
constexpr size_t kLongestResult = 64 * 1024;

// Instances of templates are demangled with their return type: "int ns::twice<int>".
std::string_view without_return_type(std::string_view name) {
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < name.size(); i++) {
        if (name.substr(i).starts_with("operator")) break;  // its blanks and brackets are names
        if (name[i] == '<' || name[i] == '(' || name[i] == '[' || name[i] == '{') depth++;
        if (name[i] == '>' || name[i] == ')' || name[i] == ']' || name[i] == '}') depth--;
        if (name[i] == ' ' && depth == 0) begin = i + 1;
    }
    return name.substr(begin);
}

}  // namespace

std::string demangled(const std::string& name, Demangle how) {
    if (how == Demangle::no || !name.starts_with("_Z") || name.size() > kLongestName) return name;
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || text == nullptr) return name;
    std::string result(text.get());
    if (result.size() > kLongestResult) return name;
    if (how == Demangle::full) return result;
    return std::string(without_return_type(filter::without_parameters(result)));
}

}  // namespace mipstrace::tools
