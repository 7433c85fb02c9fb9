#pragma once

#include "tools/report/profile.h"
#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

void write_table(OutBuffer& out, const Profile& profile);
void write_csv(OutBuffer& out, const Profile& profile);
// What changed from `before` to `after`, by name and module.
void write_diff(OutBuffer& out, const Profile& before, const Profile& after, bool as_csv);

}  // namespace mipstrace::tools
