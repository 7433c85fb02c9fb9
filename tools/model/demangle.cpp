#include "tools/model/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "lib/filter/function_filter.h"
#include "lib/filter/mangled.h"

namespace mipstrace::tools {

namespace {

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
    if (how == Demangle::no || !name.starts_with("_Z") || !filter::may_demangle(name.c_str()))
        return name;
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || text == nullptr) return name;
    std::string result(text.get());
    if (how == Demangle::full) return result;
    return std::string(without_return_type(filter::without_parameters(result)));
}

}  // namespace mipstrace::tools
