// Which process image of a recording comes from which other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tools/model/trace_file.h"

namespace mipstrace::tools {

enum class Relation : uint8_t {
    started,   // a program that another process has started
    forked,    // a copy of another process
    executed,  // the program that the same process has become by exec
};

struct Descent {
    Relation relation = Relation::started;
    std::optional<size_t> parent;  // index of the other one's file, if it has one; below the own
};

// One for each of the files, which are in the order of their starts.
std::vector<Descent> family_of(const std::vector<std::unique_ptr<TraceFile>>& files);

}  // namespace mipstrace::tools
