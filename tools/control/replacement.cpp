#include "tools/control/replacement.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tools/commands.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

std::string absolute(const std::string& library) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(library, error);
    if (error || access(path.c_str(), R_OK) != 0)
        throw DataError("cannot read " + library + ": " +
                        (error ? error.message() : std::string(strerror(errno))));
    return path.string();
}

}  // namespace

std::string with_absolute_library(const std::string& argument) {
    const size_t colon = argument.rfind(':');
    // The names of operators hold '=', too.
    size_t middle = argument.find("=/");
    if (middle == argument.npos) middle = argument.rfind('=', colon);
    if (colon == argument.npos || middle == argument.npos || middle == 0 || colon <= middle + 1 ||
        colon + 1 == argument.size())
        throw DataError("what to replace is given as FUNC=LIB.so:NEWFUNC", kExitUsage);
    const std::string library = argument.substr(middle + 1, colon - middle - 1);
    return argument.substr(0, middle + 1) + absolute(library) + argument.substr(colon);
}

std::string with_absolute_plugin(const std::vector<std::string>& words) {
    const auto at = std::find(words.begin(), words.end(), "at");
    if (words.size() < 4 || at != words.begin() + 2)
        throw DataError(
            "what to add is given as `users add LIB.so at FUNC`: the thread that calls FUNC next "
            "loads it, so FUNC is none that signal handlers or malloc call",
            kExitUsage);
    std::string request = words[0] + " " + absolute(words[1]);
    for (auto word = at; word != words.end(); ++word)
        request += " " + *word;
    return request;
}

}  // namespace mipstrace::tools
