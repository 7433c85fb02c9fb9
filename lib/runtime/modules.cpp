#include "lib/runtime/modules.h"

#include <errno.h>

#include <algorithm>
#include <utility>

#include "lib/base/raw_log.h"
#include "lib/direct/direct_call.h"
#include "lib/direct/library_function.h"
#include "lib/fgraph/core.h"
#include "lib/patch/code_patcher.h"
#include "lib/patch/loaded_objects.h"
#include "lib/patch/loader_hook.h"
#include "lib/patch/site_scanner.h"
#include "lib/runtime/objects.h"

namespace mipstrace::runtime {

patch::SiteTable sites;

namespace {

patch::LoadedObjects objects;
patch::TrampolineTargets page_targets;
void (*on_change)();
std::atomic<size_t> ready_modules;
bool is_unloading;  // the registry is locked until the dynamic linker has unmapped what goes

// The page of a module that was unloaded, if there is one: no thread is in it any more, and those
// below 2 GiB are few.
uint32_t take_unused_page() {
    for (size_t m = 0; m < sites.size(); m++) {
        if (sites[m].loaded) continue;
        for (uint32_t* page : {&sites[m].page, &sites[m].call_page}) {
            if (*page != 0) return std::exchange(*page, 0);
        }
    }
    return 0;
}

bool give_page(uint32_t& page, const patch::PageUse& use) {
    if (page == 0) page = take_unused_page();
    if (page != 0) return patch::give_trampoline_page(page, page_targets, use);
    page = patch::make_trampoline_page(page_targets, use);
    return page != 0;
}

bool has_kind(const patch::Module& module, patch::SiteKind kind) {
    patch::Site* end = module.sites + module.site_count;
    return std::any_of(module.sites, end, [&](const patch::Site& s) { return s.kind == kind; });
}

bool give_pages(patch::Module& module) {
    const uintptr_t bias = module.bias();
    const void* data = page_targets.data_of != nullptr ? page_targets.data_of(module) : nullptr;
    if (has_kind(module, patch::SiteKind::sled) && !give_page(module.page, {bias, nullptr, data}))
        return false;
    return !has_kind(module, patch::SiteKind::call) ||
           give_page(module.call_page, {bias, module.frames, data});
}

void prepare(patch::Module& module) {
    const bool has_page = give_pages(module);
    if (!has_page) {
        LogLine().error(errno) << ": no page below 2 GiB for " << module.base_name()
                               << ", it is not traced";
        for (size_t i = 0; i < module.site_count; i++) {
            if (patch::is_traced(module.sites[i].state))
                module.sites[i].state = patch::SiteState::refused;
        }
    }
    patch::make_ready(module);
    const uint32_t refused = module.by_state[size_t(patch::SiteState::refused)];
    if (refused != 0 && has_page)
        LogLine() << "the system does not let the text of " << module.base_name() << " be written, "
                  << refused << " functions are not traced";
}

// Under the registry's lock, or before there is a second thread.
void look_for_changes() {
    objects.update(
        [](const patch::LoadedObject& gone) {
            note_gone_object();
            if (gone.module == nullptr) return;
            direct::forget(*gone.module);
            patch::SiteTable::forget(*gone.module);
        },
        [](patch::LoadedObject& fresh) {
            note_object(fresh);
            if (fresh.covers(reinterpret_cast<uintptr_t>(&look_for_changes), 0)) return;
            fresh.module = patch::scan_object(sites, fresh);
            if (fresh.module == nullptr) return;
            prepare(*fresh.module);
            fgraph::apply_filters(*fresh.module);
        });
    ready_modules = sites.size();
}

// Nobody may write to text that is about to go, so what goes is decided with the registry locked
// from before it does until it is forgotten.
void on_loader_event(patch::LoaderState state) {
    if (state == patch::LoaderState::adding) return;
    if (!is_unloading) fgraph::registry_lock.lock();
    is_unloading = state == patch::LoaderState::deleting;
    if (is_unloading) return;
    const int saved_errno = errno;
    look_for_changes();
    fgraph::registry_lock.unlock();
    on_change();
    errno = saved_errno;
}

}  // namespace

size_t count_ready_modules() {
    return ready_modules;
}

void find_modules(const patch::TrampolineTargets& targets, void (*changed)()) {
    page_targets = targets;
    direct::prepare(targets);
    on_change = changed;
    look_for_changes();
}

bool follow_loader() {
    return patch::hook_loader(on_loader_event);
}

void free_modules_after_fork() {
    if (fgraph::registry_lock.free_after_fork()) is_unloading = false;
    direct::give_up_loading();
}

}  // namespace mipstrace::runtime
