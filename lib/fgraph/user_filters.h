// What each registered user wants: its filters, of which the registry keeps copies, and whether it
// is paused. All under registry_lock.
#pragma once

#include <mipstrace/fgraph.h>

#include "lib/filter/function_filter.h"
#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

// How a companion of the recorder chooses functions; see register_companion.
struct Companion {
    void (*look_at)(patch::Module&) = nullptr;
    bool (*wants)(uint32_t position) = nullptr;  // null: it is none
    bool leads = false;  // it is called before the recorder, and for functions that are not its
};

// Takes over what a user that comes has in `ops`, whose slot is set. False: no memory.
bool keep_filters(const fgraph_ops& ops, const Companion& companion);
// The slot's user has left.
void forget_filters(unsigned slot);

// True if the user in `slot` is a companion.
bool is_companion(unsigned slot);
const filter::FunctionFilter& filter_of(unsigned slot);
bool is_paused(unsigned slot);

// Switches the sites of a module on or off for the user in `slot`, as its filters say; after the
// recorder for its companions.
void apply_filters_of(unsigned slot, patch::Module& module);

}  // namespace mipstrace::fgraph
