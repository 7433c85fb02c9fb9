// The forms in which arcs are printed.
#pragma once

#include "tools/arcs/arc_table.h"
#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

// Each function with its callers and callees.
void write_arcs(OutBuffer& out, const ArcTable& table);
// A line "caller,callee,calls" for each arc.
void write_arcs_csv(OutBuffer& out, const ArcTable& table);
// For callgrind_annotate and kcachegrind: the cost of a function is how often it was called and,
// with a histogram, its samples. Format: valgrind's manual, "Callgrind Format Specification".
void write_callgrind(OutBuffer& out, const ArcTable& table, const std::string& program);

}  // namespace mipstrace::tools
