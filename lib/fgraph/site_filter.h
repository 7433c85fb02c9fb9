// Which sites of a module a user wants.
#pragma once

#include "lib/filter/function_filter.h"
#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

// Switches the sites that `filter` selects on for the user in `slot`, the others off for it. Writes
// only the sleds that change.
void switch_on_for(unsigned slot, const filter::FunctionFilter& filter, patch::Module& module);
// Switches all sites off for the user in `slot`.
void switch_off_for(unsigned slot, patch::Module& module);

// The first of the patterns in `list` that selects no function of the modules in `table`, or an
// empty one. `nearest` (`room` bytes, at least 1) becomes the name of a function that is spelled
// much like it, or "".
std::string_view find_unmatched(std::string_view list, patch::SiteTable& table, char* nearest,
                                size_t room);

}  // namespace mipstrace::fgraph
