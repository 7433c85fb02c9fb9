#include "tools/control/replacement.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>

#include "tools/commands.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

std::string with_absolute_library(const std::string& argument) {
    const size_t colon = argument.rfind(':');
    // The names of operators hold '=', too.
    size_t middle = argument.find("=/");
    if (middle == argument.npos) middle = argument.rfind('=', colon);
    if (colon == argument.npos || middle == argument.npos || middle == 0 || colon <= middle + 1 ||
        colon + 1 == argument.size())
        throw DataError("what to replace is given as FUNC=LIB.so:NEWFUNC", kExitUsage);
    const std::string library = argument.substr(middle + 1, colon - middle - 1);
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(library, error);
    if (error || access(path.c_str(), R_OK) != 0)
        throw DataError("cannot read " + library + ": " +
                        (error ? error.message() : std::string(strerror(errno))));
    return argument.substr(0, middle + 1) + path.string() + argument.substr(colon);
}

}  // namespace mipstrace::tools
