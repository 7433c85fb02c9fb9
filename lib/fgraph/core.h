// The state of the fgraph core: who is registered, and what the hot path needs to know of it.
#pragma once

#include <mipstrace/fgraph.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

// A free slot, and one whose user has left, holds the stubs: a frame that was pushed for the old
// user may return days later.
struct Slot {
    fgraph_entry_t entry;
    fgraph_return_t leave;
    fgraph_left_t left;
    fgraph_ops* ops;
    uint32_t epoch;  // of the registration; frames pushed earlier are not this user's
};

struct Core {
    Slot slots[FGRAPH_MAX_USERS];
    // Grows by one at each registration. A frame keeps the value at its entry.
    std::atomic<uint32_t> epoch;
    // Sets of users: whose callbacks need the guard and the saves; who wants every register.
    std::atomic<uint32_t> guarded;
    std::atomic<uint32_t> wants_full;  // read by ftrace_regs_caller
    // Set when the shadow stack was found corrupt: nothing is pushed any more.
    std::atomic<bool> stopped;
};

// Why a call of a traced function went by without its users.
enum class Loss { no_memory, too_deep, recursion };
// Called for each, in the thread that made the call; any context. Set once, before tracing.
extern void (*count_loss)(Loss cause);

extern Core core __attribute__((visibility("hidden")));

// Once, before the first registration: the sites that filters switch.
void set_site_table(patch::SiteTable* table);

// Sites that the user in `slot` wants, in all modules.
size_t count_sites_of(unsigned slot);

}  // namespace mipstrace::fgraph

// From the assembler; see trampoline/.
extern "C" {
__attribute__((visibility("hidden"))) void ftrace_regs_caller();
__attribute__((visibility("hidden"))) void return_to_handler();
__attribute__((visibility("hidden"))) void ftrace_save_argument_fp(ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_restore_argument_fp(const ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_save_return_fp(ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_restore_return_fp(const ftrace_regs*);
__attribute__((visibility("hidden"))) uintptr_t fgraph_enter(ftrace_regs*);
__attribute__((visibility("hidden"))) uintptr_t fgraph_leave(ftrace_regs*);
}
