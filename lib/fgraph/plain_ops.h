// A user of the library's own: its callbacks call no traced function and use no floating-point
// register, see FGRAPH_OPS_FL_PLAIN.
#pragma once

#include <mipstrace/fgraph.h>

namespace mipstrace::fgraph {

constexpr fgraph_ops plain_ops(const char* name, fgraph_entry_t entry, fgraph_return_t leave) {
    fgraph_ops ops{};
    ops.size = sizeof ops;
    ops.flags = FGRAPH_OPS_FL_PLAIN;
    ops.entryfunc = entry;
    ops.retfunc = leave;
    ops.name = name;
    return ops;
}

}  // namespace mipstrace::fgraph
