// Finds the sites of a loaded object: sleds through its __patchable_function_entries, calls of
// _mcount in its code.
#pragma once

#include "lib/patch/loaded_objects.h"
#include "lib/patch/site_table.h"

namespace mipstrace::patch {

// Adds `object` to `table` if it has sites, with each site classified, and returns its module, or
// null. Writes nothing to its text, which need not be relocated yet. Not thread-safe; allocates
// through libelf.
Module* scan_object(SiteTable& table, const LoadedObject& object);

}  // namespace mipstrace::patch
