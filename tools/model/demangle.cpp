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

}  // namespace

std::string demangled(const std::string& name, Demangle how) {
    if (how == Demangle::no || !name.starts_with("_Z") || name.size() > kLongestName) return name;
    int status = 0;
    std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || text == nullptr) return name;
    std::string result(text.get());
    if (result.size() > kLongestResult) return name;
    if (how == Demangle::simple) result.resize(filter::without_parameters(result).size());
    return result;
}

}  // namespace mipstrace::tools
