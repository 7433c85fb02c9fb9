// Finds, on this machine, the file that a recorded module was loaded from, and its symbols.
#pragma once

#include <string>
#include <vector>

#include "tools/model/symbol_table.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

struct SymbolPlaces {
    std::vector<std::string> sysroots;    // where a module's path is looked up first
    std::vector<std::string> debug_dirs;  // hold .build-id/xx/yyy.debug, or the files themselves
};

// The symbols of `module`; where there are none, `*warning` says why. `cwd` is the traced
// process's, for relative paths.
SymbolTable load_symbols(const Module& module, const std::string& cwd, const SymbolPlaces& places,
                         std::string* warning);

std::string hex(std::string_view bytes);
std::string base_name(const std::string& path);

}  // namespace mipstrace::tools
