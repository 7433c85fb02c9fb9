// The arcs of a program by the names of its functions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/arcs/gmon_reader.h"
#include "tools/model/demangle.h"
#include "tools/model/symbol_table.h"

namespace mipstrace::tools {

struct NamedArc {
    size_t other;  // a function
    uint64_t count;
};

struct ArcFunction {
    std::string name;
    uint64_t calls = 0;    // of it, its own included
    uint64_t samples = 0;  // of the histogram
    std::vector<NamedArc> callers;
    std::vector<NamedArc> callees;  // both: most calls first
};

struct ArcTable {
    std::vector<ArcFunction> functions;  // those with most calls first
    bool has_samples = false;
    uint32_t rate = 0;     // samples a second
    uint64_t unknown = 0;  // calls of addresses that are in no function
};

// Stands for a caller that is in another file, or not known.
inline constexpr const char* kSpontaneous = "<spontaneous>";

ArcTable make_arc_table(const GmonContent& content, const SymbolTable& symbols, Demangle demangle);

}  // namespace mipstrace::tools
