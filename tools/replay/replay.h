// Calls in the order of time, nested, in the manner of C.
#pragma once

#include "tools/replay/fields.h"
#include "tools/view.h"

namespace mipstrace::tools {

struct ReplayOptions {
    std::vector<Field> fields{Field::duration, Field::tid};
    bool merges_leaves = true;   // `f();` instead of `f() {` and `}`
    bool names_closings = true;  // `} /* f */`
};

void add_replay_options(CLI::App& verb, ReplayOptions* options);

// Writes to `fd`; returns the exit status.
int replay(View& view, const ReplayOptions& options, int fd);

}  // namespace mipstrace::tools
