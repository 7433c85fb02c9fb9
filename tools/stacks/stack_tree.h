// The stacks that were recorded, merged from their outermost callers on.
#pragma once

#include "tools/graph/call_tree.h"
#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

// A node counts the calls, with their times, whose stacks go by it. Reads the whole recording.
CallTree make_stack_tree(View& view);

enum class Weight { calls, time };

// A line for each distinct stack, as flamegraph.pl and speedscope read them: "main;f;g 12", of the
// calls that were made just there.
void write_folded(OutBuffer& out, const CallTree& tree, const Functions& functions, Weight weight);

}  // namespace mipstrace::tools
