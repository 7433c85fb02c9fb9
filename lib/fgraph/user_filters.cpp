#include "lib/fgraph/user_filters.h"

#include <errno.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/site_filter.h"
#include "lib/patch/code_patcher.h"

namespace mipstrace::fgraph {

namespace {

struct Kept {
    filter::FunctionFilter filter;  // copies
    bool paused;
    Companion companion;
};
Kept kept[FGRAPH_MAX_USERS];

void drop(std::string_view text) {
    if (!text.empty()) unmap_pages(const_cast<char*>(text.data()), text.size() + 1);
}

// A copy of both with a separator between. False: no memory.
bool join(std::string_view first, std::string_view second, std::string_view* out) {
    const bool both = !first.empty() && !second.empty();
    const size_t size = first.size() + second.size() + (both ? 1 : 0);
    *out = {};
    if (size == 0) return true;
    char* copy = map_objects<char>(size + 1);
    if (copy == nullptr) return false;
    memcpy(copy, first.data(), first.size());
    if (both) copy[first.size()] = filter::kSeparator;
    memcpy(copy + size - second.size(), second.data(), second.size());
    *out = {copy, size};
    return true;
}

void apply_to_all(unsigned slot) {
    patch::SiteTable& modules = traced_modules();
    for (size_t m = 0; m < modules.size(); m++)
        apply_filters_of(slot, modules[m]);
    note_new_users_of_sites();
}

int change(fgraph_ops* ops, const char* patterns, int reset,
           std::string_view filter::FunctionFilter::*which) {
    if (patterns == nullptr) return -EINVAL;
    if (is_in_callback()) return -EDEADLK;
    LockHolder lock(registry_lock);
    if (!is_registered(ops)) return -ENOENT;
    std::string_view& now = kept[ops->slot].filter.*which;
    std::string_view fresh;
    if (!join(reset != 0 ? std::string_view() : now, patterns, &fresh)) return -ENOMEM;
    drop(now);
    now = fresh;
    if (!kept[ops->slot].paused) apply_to_all(ops->slot);
    return 0;
}

struct CompanionOf {
    const Companion& companion;
    const patch::Module& module;
    uint16_t bit;
};

uint16_t with_companion(const patch::Site& site, void* context) {
    const auto& of = *static_cast<const CompanionOf*>(context);
    const bool wants = (of.companion.leads || (site.users & 1u << kRecorderSlot) != 0) &&
                       of.companion.wants(of.module.pos_base + site.offset);
    return uint16_t(wants ? site.users | of.bit : site.users & ~of.bit);
}

void apply_companion(unsigned slot, patch::Module& module) {
    CompanionOf of{kept[slot].companion, module, uint16_t(1u << slot)};
    of.companion.look_at(module);
    patch::set_users(module, with_companion, &of);
}

int set_paused(fgraph_ops* ops, bool paused) {
    if (is_in_callback()) return -EDEADLK;
    LockHolder lock(registry_lock);
    if (!is_registered(ops)) return -ENOENT;
    if (kept[ops->slot].paused == paused) return 0;
    kept[ops->slot].paused = paused;
    apply_to_all(ops->slot);
    return 0;
}

}  // namespace

bool keep_filters(const fgraph_ops& ops, const Companion& companion) {
    Kept& slot = kept[ops.slot];
    slot.companion = companion;
    slot.paused = (ops.flags & FGRAPH_OPS_FL_PAUSED) != 0;
    if (join(ops.filter != nullptr ? ops.filter : "", {}, &slot.filter.wanted) &&
        join(ops.notrace != nullptr ? ops.notrace : "", {}, &slot.filter.unwanted))
        return true;
    forget_filters(ops.slot);
    return false;
}

void forget_filters(unsigned slot) {
    drop(kept[slot].filter.wanted);
    drop(kept[slot].filter.unwanted);
    kept[slot] = {};
}

bool is_companion(unsigned slot) {
    return kept[slot].companion.wants != nullptr;
}

const filter::FunctionFilter& filter_of(unsigned slot) {
    return kept[slot].filter;
}

bool is_paused(unsigned slot) {
    return kept[slot].paused;
}

void apply_filters_of(unsigned slot, patch::Module& module) {
    if (kept[slot].companion.wants != nullptr) return apply_companion(slot, module);
    if (kept[slot].paused)
        switch_off_for(slot, module);
    else
        switch_on_for(slot, kept[slot].filter, module);
    if (slot != kRecorderSlot) return;
    for (unsigned other = 0; other < FGRAPH_MAX_USERS; other++)
        if (kept[other].companion.wants != nullptr) apply_companion(other, module);
}

}  // namespace mipstrace::fgraph

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

using namespace mipstrace;

MT_PUBLIC int ftrace_set_filter(fgraph_ops* ops, const char* patterns, int reset) {
    return fgraph::change(ops, patterns, reset, &filter::FunctionFilter::wanted);
}

MT_PUBLIC int ftrace_set_notrace(fgraph_ops* ops, const char* patterns, int reset) {
    return fgraph::change(ops, patterns, reset, &filter::FunctionFilter::unwanted);
}

MT_PUBLIC int ftrace_graph_pause(fgraph_ops* ops) {
    return fgraph::set_paused(ops, true);
}

MT_PUBLIC int ftrace_graph_resume(fgraph_ops* ops) {
    return fgraph::set_paused(ops, false);
}
