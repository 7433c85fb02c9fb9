// Counts who calls whom, for gmon.out: a user of fgraph that wants entries only.
//
//   return address  --->  CallSites of the module that holds it
//                             slots[offset in its text]  --->  Arc  --->  Arc  --->  0
//                                                              {count, callee}       by callee
//
// A call site is found by its return address alone, with no search; where it calls one function,
// its first arc is the one. trampoline/count_arc.S does that in registers, for calls inside one
// module that were made before. All others, and those of functions that another user wants, too,
// come by the core. Arcs are never given back; a count is exact, whatever threads and signal
// handlers do.
#pragma once

#include <mipstrace/fgraph.h>

#include <cstddef>
#include <cstdint>

#include "lib/patch/site_table.h"

namespace mipstrace::call_counter {

// Offsets: see CALL_SITES_* and ARC_* in trampoline/frame_layout.h.
struct Arc {
    uint64_t count;
    uint32_t callee;  // its position
    uint32_t next;    // arc of the same site: bytes from the first arc; 0 none
};

struct CallSites {
    uintptr_t start;  // of the module's text, at run time
    uintptr_t size;
    uint32_t* slots;  // for each four bytes of text, the site's first arc; behind, one for the rest
    Arc* arcs;        // all modules'
    const patch::Module* module;
    CallSites* next;
};

// Once, before the first module. False: there is no memory for arcs.
bool prepare();

// For patch::TrampolineTargets: the CallSites of a module that is made ready; without memory those
// of no call, and calls from it count as from nowhere.
const void* sites_of(const patch::Module& module);

// To be registered.
fgraph_ops& counter_ops();

// Calls of `from` an address of a function in `module`'s file (0: from elsewhere) to another one.
using ArcVisitor = void (*)(uintptr_t from, uintptr_t to, uint64_t count, void* context);
// Visits the arcs of calls that entered functions of this module, with its file's addresses. Any
// context, also while calls go on.
void for_each_arc(const CallSites& callees, ArcVisitor visit, void* context);

// The first of all, or null.
const CallSites* all_sites();

// Arcs that found no room.
uint64_t lost_arcs();

// In the child of a fork: the counts so far are the parent's.
void forget_counts();

}  // namespace mipstrace::call_counter

// From the assembler.
extern "C" __attribute__((visibility("hidden"))) void count_arc();
extern "C" __attribute__((visibility("hidden"))) void count_arc_at_call();
