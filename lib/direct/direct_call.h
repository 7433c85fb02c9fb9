// Functions whose callers reach another function: the direct calls of <mipstrace/fgraph.h>. The
// sled of such a function has a page of its own (trampoline/direct_page.S) for as long.
//
//   sled                        page                      DirectCall
//   lui   $1, page >> 16   ->   nobody wants the call ->  target          the replacement
//   jalr  $25, $1               else the general way  ->  target
//   ori   $1, $0, users         original              ->  resume          behind the sled
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/patch/site_table.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::patch {
struct TrampolineTargets;
}

namespace mipstrace::direct {

struct LibraryFunction;

// Is there for good, as its page is: threads may be inside, and a caller may keep the pointer to
// the original.
struct DirectCall {
    std::atomic<uintptr_t> target;
    uintptr_t function;
    uintptr_t resume;
    uintptr_t gp;
    uintptr_t (*load)(DirectCall* call, uintptr_t sp);  // for direct_load
    uintptr_t replacement;  // that is registered; 0: none, and the target is the original
    uintptr_t original;     // in its page
    patch::Module* module;  // null: it was unloaded, another function may have it
    patch::DirectPage page;
    LibraryFunction* by;  // the last one that was found in a library, or null
    bool is_by_library;   // and it is that one's now
    DirectCall* next;
};
static_assert(offsetof(DirectCall, target) == DIRECT_TARGET);
static_assert(offsetof(DirectCall, function) == DIRECT_FUNCTION);
static_assert(offsetof(DirectCall, resume) == DIRECT_RESUME);
static_assert(offsetof(DirectCall, gp) == DIRECT_GP);
static_assert(offsetof(DirectCall, load) == DIRECT_LOAD);

// Once, before other threads: what pages lead to.
void prepare(const patch::TrampolineTargets& targets);

// All below under fgraph::registry_lock.

// Leads the callers of a site's function to `replacement`. Errors: as register_ftrace_direct.
int redirect(patch::Module& module, patch::Site& site, uintptr_t replacement, uintptr_t* original);
// The same in two steps: a call for this site, with its page, and leading its function's callers
// there.
int prepare_call(patch::Module& module, const patch::Site& site, DirectCall** call);
int redirect_call(DirectCall& call, patch::Site& site, uintptr_t replacement);
// The call of a function that is replaced, or null.
DirectCall* find(uintptr_t function);
// The callers of its function reach it again.
void restore(DirectCall& call);
// All of them, a `next` away from each other; those without a replacement, too.
DirectCall* first_call();

// The module is being unloaded.
void forget(patch::Module& module);

}  // namespace mipstrace::direct
