// Finds the sleds of the loaded objects through their __patchable_function_entries.
#pragma once

#include "lib/patch/site_table.h"

namespace mipstrace::patch {

// Adds to `table` every object of the process (dl_iterate_phdr) that has a table of sleds, with
// each site classified. Writes nothing to any text. Not thread-safe; uses malloc through libelf.
// `self` is an address in the library that does not trace itself.
void scan_loaded_objects(SiteTable& table, const void* self);

}  // namespace mipstrace::patch
