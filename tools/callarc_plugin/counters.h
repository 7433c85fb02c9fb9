// The counters of the file that is being compiled. lib/callarc/callarc.h has their layout.
#pragma once

#include "tools/callarc_plugin/gcc.h"

namespace mipstrace::callarc {

// True for a function whose code is left as it is, and whose calls are not counted: one with
// the attribute no_instrument_function.
bool is_left_alone(const_tree function);

// The name of a symbol as the assembler knows it.
const char* assembler_name(tree function);

// The counter of direct calls from `caller` to `callee`, one for each such pair: the name of its
// symbol, which lives as long as the compiler.
const char* arc_counter(tree caller, tree callee);

// The list of an indirect call in `caller`: a variable, a new one for each.
tree arc_list(tree caller);

// Calls through the C++ thunks of `function` are to count as its own.
void note_thunks(tree function);

// Writes all of them to the assembler's file. At the end of the unit.
void write_counters();

}  // namespace mipstrace::callarc
