// Calls in the order of time, nested, in the manner of C.
#pragma once

#include "tools/replay/fields.h"
#include "tools/view.h"

namespace mipstrace::tools {

struct ReplayOptions {
    std::vector<Field> fields{Field::duration, Field::tid};
    bool splits_leaves = false;   // `f() {` and `}` instead of `f();`
    bool is_uncommented = false;  // `}` instead of `} /* f */`
};

void add_replay_options(Verb& verb, ReplayOptions* options);

// Writes to `fd`; returns the exit status.
int replay(View& view, const ReplayOptions& options, int fd);

}  // namespace mipstrace::tools
