// What the search for callers has found, by place in the code: most stacks go by the same places.
#pragma once

#include <cstdint>

#include "lib/mips/frame_search.h"

namespace mipstrace::unwind {

// Makes it. False: there is no memory, and each search is made anew. Once, at start.
bool prepare_rule_cache();

// Code has gone, and other code may come to its place.
void clear_rule_cache();

// Of the place that a call returns to. Any context; what is found may be wrong if code has just
// been unloaded, and is to be looked at as anything that a search has found.
bool find_cached_rule(uintptr_t place, mips::FrameRule* rule);
void cache_rule(uintptr_t place, const mips::FrameRule& rule);

}  // namespace mipstrace::unwind
