// The modules of this process: found at the start and whenever the dynamic linker has loaded or
// unloaded something, made ready, and switched on for the users of the moment.
#pragma once

#include "lib/patch/site_table.h"
#include "lib/patch/trampoline_page.h"

namespace mipstrace::runtime {

extern patch::SiteTable sites;

// How many modules of the table are ready, with their sites counted; the ones behind are in the
// making. Any context.
size_t count_ready_modules();

// Finds and prepares what is loaded now. `changed` is called after each later change.
void find_modules(const patch::TrampolineTargets& targets, void (*changed)());
// Follows the dynamic linker from now on. False: it does not tell.
bool follow_loader();

// In the child of a fork.
void free_modules_after_fork();

}  // namespace mipstrace::runtime
