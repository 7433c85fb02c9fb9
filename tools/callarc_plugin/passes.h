// The two steps of counting; each runs once for every function. With `atomic` counts of threads
// that make the same call at once are exact.
#pragma once

#include "tools/callarc_plugin/gcc.h"

namespace mipstrace::callarc {

opt_pass* make_direct_calls(gcc::context* context, bool atomic);
opt_pass* make_indirect_calls(gcc::context* context, bool atomic);

}  // namespace mipstrace::callarc
