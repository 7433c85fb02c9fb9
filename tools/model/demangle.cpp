#include "tools/model/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "lib/filter/function_filter.h"
#include "lib/filter/mangled.h"

namespace mipstrace::tools {

std::string demangled(const std::string& name, Demangle how) {
    if (how == Demangle::no || !name.starts_with("_Z") || !filter::may_demangle(name.c_str()))
        return name;
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || text == nullptr) return name;
    std::string result(text.get());
    if (how == Demangle::full) return result;
    return std::string(filter::without_return_type(filter::without_parameters(result)));
}

}  // namespace mipstrace::tools
