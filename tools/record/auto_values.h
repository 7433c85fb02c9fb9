// Types that debug information tells, for -a and for -A and -R with a function alone.
#pragma once

#include <string>

#include "tools/record/program.h"
#include "tools/record/record.h"

namespace mipstrace::tools {

inline constexpr char kValueFile[] = "values.rules";

// Those of the lists of -A or -R that say what to record of a function, as one list.
std::string rules_by_hand(const std::vector<std::string>& lists);

// What the process shall record, in the form of lib/record/value_file.h; empty: no debug
// information is asked for. Throws DataError when it doesn't tell what was asked.
std::string rules_from_debug_info(const RecordOptions& options, const Program& program);

}  // namespace mipstrace::tools
