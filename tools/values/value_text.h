// Values as replay shows them.
#pragma once

#include <string>

#include "tools/model/functions.h"
#include "tools/values/value_record.h"

namespace mipstrace::tools {

// One line, without control characters. `file` is where it was recorded, for pointers to functions.
std::string value_text(const RecordedValue& value, const TraceFile& file, Functions& functions);

}  // namespace mipstrace::tools
