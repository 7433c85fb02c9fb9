// What a program's debug information says of its functions' arguments and return values, as rules
// that the recorder understands (lib/values/parse.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mipstrace::tools {

struct FunctionTypes {
    uint64_t address = 0;   // ELF address of the function's first byte
    uint64_t size = 0;      // bytes
    std::string arguments;  // "arg1/i32,arg2/s"; empty: it has none that can be shown
    std::string retval;     // "retval/i32"; empty: void, or it can't be shown
};

struct ModuleTypes {
    bool has_debug_info = false;
    std::vector<FunctionTypes> functions;             // by address
    std::map<std::string, std::string> enumerations;  // NAME -> "WORD=value,WORD=value"
};

// False: this mipstrace was built without the library that reads debug information.
bool can_read_types();

// Reads the file of an object for the ABI (format::Abi). Throws DataError when that can't be done.
ModuleTypes read_types(const std::string& path, uint8_t abi);

}  // namespace mipstrace::tools
