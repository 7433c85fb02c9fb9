#pragma once

#include "tools/graph/call_tree.h"
#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

// The calls below `node`, one line each, indented.
void write_tree(OutBuffer& out, const CallTree& tree, uint32_t node, const Functions& functions);

// Who called the functions that `patterns` name, and what these called. False when none does.
bool write_function_graph(OutBuffer& out, const CallTree& tree, const Functions& functions,
                          const std::string& patterns);

}  // namespace mipstrace::tools
