// The directive that opens a piece of the table of sleds:
//     .section __patchable_function_entries,"awo",@progbits,LINKED_TO
//     .section __patchable_function_entries,"awoG",@progbits,LINKED_TO,GROUP,comdat
#pragma once

#include <string>
#include <string_view>

#include "tools/as_filter/statement.h"

namespace mipstrace::as_filter {

bool is_table_directive(const Statement& s);

// The COMDAT group that a .section directive names, or nothing.
std::string_view comdat_group(const Statement& s);

// `line`, linked to `label` (where GCC links at all: an old assembler cannot) and put into `group`
// (if there is one). Returned unchanged if it is in no form that we know.
std::string linked_table_directive(const std::string& line, std::string_view label,
                                   std::string_view group);

}  // namespace mipstrace::as_filter
