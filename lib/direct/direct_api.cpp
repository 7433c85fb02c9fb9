// Direct calls of the public API.
#include <errno.h>
#include <mipstrace/fgraph.h>

#include "lib/direct/direct_call.h"
#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/core.h"

namespace mipstrace::direct {

namespace {

uintptr_t address_of(const void* function) {
    return reinterpret_cast<uintptr_t>(function);
}

// The site of the function that begins at `function`. Null: there is none.
patch::Site* find_site(uintptr_t function, patch::Module** found) {
    patch::SiteTable& table = fgraph::traced_modules();
    for (size_t m = 0; m < table.size(); m++) {
        patch::Module& module = table[m];
        if (!module.loaded) continue;
        *found = &module;
        if (patch::Site* site = patch::SiteTable::find_function(module, function)) return site;
    }
    return nullptr;
}

}  // namespace

}  // namespace mipstrace::direct

using namespace mipstrace;
using namespace mipstrace::direct;

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

MT_PUBLIC int register_ftrace_direct(const void* function, const void* replacement,
                                     void** original) {
    if (function == nullptr || replacement == nullptr) return -EINVAL;
    if (fgraph::is_in_callback()) return -EDEADLK;
    LockHolder lock(fgraph::registry_lock);
    patch::Module* module = nullptr;
    patch::Site* site = find_site(address_of(function), &module);
    if (site == nullptr) return -ENOENT;
    // Before the first call can come to the replacement, which may use it.
    static_assert(sizeof(uintptr_t) == sizeof(void*));
    return redirect(*module, *site, address_of(replacement),
                    reinterpret_cast<uintptr_t*>(original));
}

MT_PUBLIC int modify_ftrace_direct(const void* function, const void* replacement) {
    if (function == nullptr || replacement == nullptr || function == replacement) return -EINVAL;
    if (fgraph::is_in_callback()) return -EDEADLK;
    LockHolder lock(fgraph::registry_lock);
    DirectCall* call = find(address_of(function));
    if (call == nullptr) return -ENOENT;
    call->replacement = address_of(replacement);
    call->is_by_library = false;
    call->target.store(call->replacement, std::memory_order_release);
    return 0;
}

MT_PUBLIC int unregister_ftrace_direct(const void* function) {
    if (fgraph::is_in_callback()) return -EDEADLK;
    LockHolder lock(fgraph::registry_lock);
    DirectCall* call = find(address_of(function));
    if (call == nullptr) return -ENOENT;
    restore(*call);
    return 0;
}
