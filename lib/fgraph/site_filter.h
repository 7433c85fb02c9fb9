// Which sites of a module a user wants.
#pragma once

#include <mipstrace/fgraph.h>

#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

// Switches the sites that the filters of `ops` select on for the user in ops->slot, the others off
// for it.
void switch_on_for(const fgraph_ops& ops, patch::Module& module);
// Switches all sites off for the user in `slot`.
void switch_off_for(unsigned slot, patch::Module& module);

}  // namespace mipstrace::fgraph
