// Looks at what the triggers of `record` say, before a program is started.
#pragma once

#include "tools/record/record.h"

namespace mipstrace::tools {

// Throws DataError for what a trigger can't be.
void check_triggers(const RecordOptions& options);

}  // namespace mipstrace::tools
