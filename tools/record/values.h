// What -A and -R ask for.
#pragma once

#include "tools/record/record.h"

namespace mipstrace::tools {

// Throws DataError when one of them makes no sense.
void check_values(const RecordOptions& options);

}  // namespace mipstrace::tools
