// Rules and functions that `mipstrace record` has found in debug information, in a file of lines:
//
//   rule arg1/i32,retval/s          the first one is 1
//   enum color RED=0,GREEN=5
//   module BUILD-ID NAME            "-": it has none
//   1a40 5c 1                       a function of it: ELF address, bytes (hexadecimal), rule
#pragma once

#include <string_view>

#include "lib/patch/site_table.h"

namespace mipstrace::record {

// Adds its rules. What is wrong is said on standard error. At start.
void read_value_file(const char* path);

// Calls `visit(patch::Site&, unsigned rule)` for each function of the module.
using SiteRuleVisitor = void (*)(patch::Site& site, unsigned rule, void* context);
void for_each_in_value_file(patch::Module& module, SiteRuleVisitor visit, void* context);

// Calls `visit("color RED=0,GREEN=5")` for each enumeration.
using EnumerationVisitor = void (*)(std::string_view text);
void for_each_enumeration(EnumerationVisitor visit);

}  // namespace mipstrace::record
