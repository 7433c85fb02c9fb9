// The state of the fgraph core: who is registered, and what the hot path needs to know of it.
#pragma once

#include <mipstrace/fgraph.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/base/lock.h"
#include "lib/patch/site_table.h"

namespace mipstrace::fgraph {

struct Companion;
struct ThreadState;

// A free slot, and one whose user has left, holds the stubs: a frame that was pushed for the old
// user may return days later. Its size is a power of two, so that finding one needs no product (nor
// hi and lo).
struct alignas(sizeof(uintptr_t) * 8) Slot {
    fgraph_entry_t entry;
    fgraph_return_t leave;
    fgraph_left_t left;
    fgraph_ops* ops;
    uint32_t epoch;    // of the registration; frames pushed earlier are not this user's
    int32_t priority;  // of several, the one with the lowest is called first
};
static_assert(sizeof(Slot) == sizeof(uintptr_t) * 8);

inline constexpr unsigned kRecorderSlot = 0;

struct Core {
    Slot slots[FGRAPH_MAX_USERS];
    std::atomic<uint32_t> guarded;  // users that are not called from inside a callback
    std::atomic<uint32_t> uses_fp;  // users that may use floating-point registers
};

// Why a call of a traced function went by without its users.
enum class Loss { no_memory, too_deep, recursion };
// Called for each, in the thread that made the call; any context. Set once, before tracing.
extern void (*count_loss)(Loss cause);

extern Core core __attribute__((visibility("hidden")));

// Once, before the first registration: the sites that filters switch.
void set_site_table(patch::SiteTable* table);

// Held while users come and go and while the table of sites changes. A thread may come here with
// the dynamic linker's lock, so who holds this one calls nothing that loads.
extern Lock registry_lock __attribute__((visibility("hidden")));

// Under registry_lock: true while `ops` is registered and nobody waits for its end.
bool is_registered(const fgraph_ops* ops);
patch::SiteTable& traced_modules();

// Switches the sites of a module that has just been made ready on for the users that want them.
// Under registry_lock.
void apply_filters(patch::Module& module);

// Ends all calls of a thread that will never return, as it ends itself (pthread_exit).
void end_open_calls(ThreadState& thread);

// From now on all calls pass by, in all threads; returns of those that are open are seen. Says why,
// once. Any context.
void stop_tracing(const char* why);

// As register_ftrace_graph, for the one user that slot 0 is for, the recorder or what counts in its
// place: for functions that it alone wants, trampolines may stand in for the core.
int register_recorder(fgraph_ops* ops);
// From now on they do, for functions that are its alone. `ops` is registered. `prefer(true)` is
// called when such functions come to be, `prefer(false)` when none is left.
void let_recorder_stand_in(void (*prefer)(bool));
// From now on they don't, for calls that begin. False: the system does not let the pages be
// changed.
bool keep_recorder_from_standing_in();
// From now on `entry` and `leave` are what is called of a registered user, where `entry` was called
// at the entry for returns, too: either pair has to understand the other's calls. Threads may be in
// the old ones, for as long as they like.
void exchange_callbacks(fgraph_ops* ops, fgraph_entry_t entry, fgraph_return_t leave);

// As register_ftrace_graph, for a user that wants what `companion` says, see user_filters.h; each
// module is shown to `look_at` before. What it points to is called under registry_lock.
int register_companion(fgraph_ops* ops, const Companion& companion);
// Asks a registered one again.
void apply_companion_to_all(const fgraph_ops& ops);
// After the users of sites have changed, under registry_lock: makes the lists that they need, and
// chooses the way that the trampolines try first.
void note_new_users_of_sites();

// Sites of a module that are on for the user in `slot`.
size_t count_sites_of(unsigned slot, const patch::Module& module);

}  // namespace mipstrace::fgraph

// What the trampolines look up for each call; see FGRAPH_HANDLERS_* in trampoline/frame_layout.h.
struct fgraph_handlers_t {
    std::atomic<uint32_t> wants_full;  // users that want every register
    // Grows with each registration and each dispatch list; a frame keeps that of its entry.
    std::atomic<uint32_t> epoch;
    std::atomic<uintptr_t (*)(ftrace_regs*)> enter;
    std::atomic<uintptr_t (*)(ftrace_regs*)> leave;
    std::atomic<uintptr_t (*)(ftrace_regs*)> enter_at_call;
};

extern "C" {
extern fgraph_handlers_t fgraph_handlers __attribute__((visibility("hidden")));

// Returns the address that the function shall return to.
__attribute__((visibility("hidden"))) uintptr_t fgraph_enter(ftrace_regs*);
// The same at a call of _mcount; writes that address to the function's frame, too.
__attribute__((visibility("hidden"))) uintptr_t fgraph_enter_at_call(ftrace_regs*);
// Returns the true return address of the call that has just returned.
__attribute__((visibility("hidden"))) uintptr_t fgraph_leave(ftrace_regs*);

// From the assembler; see trampoline/.
__attribute__((visibility("hidden"))) void ftrace_regs_caller();
__attribute__((visibility("hidden"))) void ftrace_mcount_caller();
__attribute__((visibility("hidden"))) void record_enter_by_mono();
__attribute__((visibility("hidden"))) void record_leave_by_mono();
__attribute__((visibility("hidden"))) void return_to_handler();
__attribute__((visibility("hidden"))) void return_from_signal();  // for unwinders only
__attribute__((visibility("hidden"))) void ftrace_light_caller();
__attribute__((visibility("hidden"))) void ftrace_save_argument_fp(ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_restore_argument_fp(const ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_save_return_fp(ftrace_regs*);
__attribute__((visibility("hidden"))) void ftrace_restore_return_fp(const ftrace_regs*);
// The same in the place of a user's callbacks, in a dispatch list.
__attribute__((visibility("hidden"))) int ftrace_keep_argument_fp(void*, void*, ftrace_regs*);
__attribute__((visibility("hidden"))) int ftrace_put_back_argument_fp(void*, void*, ftrace_regs*);
__attribute__((visibility("hidden"))) int ftrace_keep_return_fp(void*, void*, ftrace_regs*);
__attribute__((visibility("hidden"))) int ftrace_put_back_return_fp(void*, void*, ftrace_regs*);
}
