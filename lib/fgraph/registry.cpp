// Registration: slots, epochs, and the filters that become bits in the sleds.
#include <errno.h>

#include "lib/base/syscall.h"
#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/dispatch_lists.h"
#include "lib/fgraph/site_filter.h"
#include "lib/fgraph/thread_state.h"
#include "lib/fgraph/user_filters.h"
#include "lib/patch/trampoline_page.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::fgraph {

Core core;
Lock registry_lock;
void (*count_loss)(Loss);

namespace {

patch::SiteTable* site_table;
uint32_t leaving;  // slots whose users are being waited for; no one is in them any more
void (*prefer_recorder)(bool);  // set: the trampolines may stand in for the recorder
patch::Gate gate = patch::Gate::light;
bool has_others;  // users beside the recorder, or another way for its calls, now or earlier

// From now on a sled's users tell which way its calls go. False: the system does not let the pages
// be changed.
bool check_users() {
    if (gate == patch::Gate::recorder) {
        if (!patch::set_gate(*site_table, patch::Gate::check)) return false;
        gate = patch::Gate::check;
    }
    has_others = true;
    return true;
}

bool is_any_for_recorder_alone() {
    for (size_t m = 0; m < site_table->size(); m++) {
        const patch::Module& module = (*site_table)[m];
        for (size_t i = 0; i < module.site_count; i++)
            if (module.sites[i].users == kRecorderAlone) return true;
    }
    return false;
}

// Either gate is right for all sites.
void choose_gate() {
    if (prefer_recorder == nullptr) return;
    const bool any = is_any_for_recorder_alone();
    prefer_recorder(any || !has_others);
    if (!has_others) return;
    const patch::Gate better = any ? patch::Gate::check : patch::Gate::light;
    if (better != gate && patch::set_gate(*site_table, better)) gate = better;
}

int stub_entry(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
    return 0;
}
void stub_return(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {}

int entry_without_func(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
    return 1;
}
int entry_without_return(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
    ops->entryfunc(call, ops, regs);
    return 0;
}

// A user that was built for a newer library may be larger, as long as it uses nothing of that.
int check_ops(const fgraph_ops* ops) {
    constexpr unsigned kKnownFlags =
        FGRAPH_OPS_FL_REGS | FGRAPH_OPS_FL_PLAIN | FGRAPH_OPS_FL_PAUSED | FGRAPH_OPS_FL_NO_FP;
    constexpr size_t kLargest = 4096;
    if (ops == nullptr || ops->size < sizeof(fgraph_ops) || ops->size > kLargest) return -EINVAL;
    const auto* bytes = reinterpret_cast<const unsigned char*>(ops);
    for (size_t i = sizeof(fgraph_ops); i < ops->size; i++) {
        if (bytes[i] != 0) return -E2BIG;
    }
    if ((ops->flags & ~kKnownFlags) != 0 || (ops->entryfunc == nullptr && ops->retfunc == nullptr))
        return -EINVAL;
    return 0;
}

void fill_with_stub(Slot& slot) {
    slot.entry = stub_entry;
    slot.leave = stub_return;
    slot.left = nullptr;
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Until every callback has ended that runs now, in any thread.
void wait_for_callbacks() {
    for_each_thread(
        [](ThreadState& thread, void*) {
            const Frame* const now = thread.in_callback.load(std::memory_order_acquire);
            while (now != nullptr && thread.in_callback.load(std::memory_order_acquire) == now)
                raw_syscall(SYS_sched_yield);
        },
        nullptr);
}

void apply_to_all_modules(unsigned slot) {
    for (size_t m = 0; m < site_table->size(); m++)
        apply_filters_of(slot, (*site_table)[m]);
    note_new_users_of_sites();
}

// A companion that leads, the recorder, the others by their own.
int32_t priority_of(const fgraph_ops& ops, const Companion& companion) {
    if (companion.leads) return INT32_MIN;
    return ops.slot == kRecorderSlot ? INT32_MIN + 1 : ops.priority;
}

void fill_slot(Slot& slot, fgraph_ops* ops, int32_t priority) {
    slot.ops = ops;
    slot.priority = priority;
    slot.left = ops->leftfunc;
    slot.leave = ops->retfunc != nullptr ? ops->retfunc : stub_return;
    // The recorder's frames are nobody else's, and don't all keep an epoch.
    if (&slot != &core.slots[kRecorderSlot]) slot.epoch = fgraph_handlers.epoch.fetch_add(1) + 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ops->entryfunc == nullptr)
        slot.entry = entry_without_func;
    else
        slot.entry = ops->retfunc != nullptr ? ops->entryfunc : entry_without_return;
}

// Slots from `first` on may be used.
int register_in_slot(fgraph_ops* ops, unsigned first, unsigned end, const Companion& companion) {
    if (const int error = check_ops(ops); error != 0) return error;
    if (is_in_callback()) return -EDEADLK;
    LockHolder lock(registry_lock);
    unsigned free_slot = end;
    for (const Slot& slot : core.slots) {
        if (slot.ops == ops) return -EBUSY;
    }
    for (unsigned i = end; i-- > first;) {
        if (core.slots[i].ops == nullptr) free_slot = i;
    }
    if (free_slot == end) return -ENOSPC;
    // Before the first sled is on for it.
    if (free_slot != kRecorderSlot && !check_users()) return -EACCES;
    ops->slot = uint16_t(free_slot);
    if (!keep_filters(*ops, companion)) return -ENOMEM;
    const uint32_t bit = 1u << free_slot;
    if ((ops->flags & FGRAPH_OPS_FL_PLAIN) == 0) core.guarded |= bit;
    if ((ops->flags & (FGRAPH_OPS_FL_PLAIN | FGRAPH_OPS_FL_NO_FP)) == 0) core.uses_fp |= bit;
    if ((ops->flags & FGRAPH_OPS_FL_REGS) != 0) fgraph_handlers.wants_full |= bit;
    fill_slot(core.slots[free_slot], ops, priority_of(*ops, companion));
    apply_to_all_modules(free_slot);
    return 0;
}

}  // namespace

int register_recorder(fgraph_ops* ops) {
    return register_in_slot(ops, kRecorderSlot, kRecorderSlot + 1, {});
}

int register_companion(fgraph_ops* ops, const Companion& companion) {
    return register_in_slot(ops, kRecorderSlot + 1, FGRAPH_MAX_USERS, companion);
}

void apply_companion_to_all(const fgraph_ops& ops) {
    LockHolder lock(registry_lock);
    apply_to_all_modules(ops.slot);
}

void let_recorder_stand_in(void (*prefer)(bool)) {
    LockHolder lock(registry_lock);
    prefer_recorder = prefer;
    if (!has_others) {
        patch::set_gate(*site_table, patch::Gate::recorder);
        gate = patch::Gate::recorder;
    }
    choose_gate();
}

bool keep_recorder_from_standing_in() {
    LockHolder lock(registry_lock);
    if (prefer_recorder == nullptr) return true;
    if (!patch::set_gate(*site_table, patch::Gate::light)) return false;
    gate = patch::Gate::light;
    has_others = true;
    prefer_recorder(false);
    prefer_recorder = nullptr;
    return true;
}

void exchange_callbacks(fgraph_ops* ops, fgraph_entry_t entry, fgraph_return_t leave) {
    LockHolder lock(registry_lock);
    Slot& slot = core.slots[ops->slot];
    ops->entryfunc = slot.entry = entry;
    ops->retfunc = slot.leave = leave;
    withdraw_lists_of(ops->slot);
    note_new_users_of_sites();
}

void note_new_users_of_sites() {
    refresh_lists();
    choose_gate();
}

void set_site_table(patch::SiteTable* table) {
    for (Slot& slot : core.slots)
        fill_with_stub(slot);
    site_table = table;
}

void apply_filters(patch::Module& module) {
    for (unsigned i = 0; i < FGRAPH_MAX_USERS; i++) {
        const fgraph_ops* ops = core.slots[i].ops;
        if (ops != nullptr && (leaving >> i & 1) == 0) apply_filters_of(i, module);
    }
    note_new_users_of_sites();
}

bool is_in_callback() {
    if (this_thread == nullptr) return false;  // a thread of the library's own
    const Frame* frame = this_thread->in_callback.load(std::memory_order_relaxed);
    return frame != nullptr &&
           sp_of(*frame) > reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

bool is_any_thread_in_callback() {
    bool any = false;
    for_each_thread(
        [](ThreadState& thread, void* found) {
            if (thread.in_callback.load(std::memory_order_acquire) != nullptr)
                *static_cast<bool*>(found) = true;
        },
        &any);
    return any;
}

bool is_registered(const fgraph_ops* ops) {
    return ops != nullptr && ops->slot < FGRAPH_MAX_USERS && core.slots[ops->slot].ops == ops &&
           (leaving >> ops->slot & 1) == 0;
}

patch::SiteTable& traced_modules() {
    return *site_table;
}

size_t count_sites_of(unsigned slot, const patch::Module& module) {
    size_t count = 0;
    for (size_t i = 0; i < module.site_count; i++)
        count += module.sites[i].users >> slot & 1;
    return count;
}

}  // namespace mipstrace::fgraph

using namespace mipstrace;
using namespace mipstrace::fgraph;

fgraph_handlers_t fgraph_handlers{{0}, {0}, {fgraph_enter}, {fgraph_leave}, {fgraph_enter_at_call}};

static_assert(offsetof(fgraph_ops, slot) == FGRAPH_OPS_SLOT);
static_assert(offsetof(fgraph_handlers_t, wants_full) == FGRAPH_HANDLERS_WANTS_FULL);
static_assert(offsetof(fgraph_handlers_t, epoch) == FGRAPH_HANDLERS_EPOCH);
static_assert(offsetof(fgraph_handlers_t, enter) == FGRAPH_HANDLERS_ENTER);
static_assert(offsetof(fgraph_handlers_t, leave) == FGRAPH_HANDLERS_LEAVE);
static_assert(offsetof(fgraph_handlers_t, enter_at_call) == FGRAPH_HANDLERS_ENTER_AT_CALL);

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

MT_PUBLIC int register_ftrace_graph(fgraph_ops* ops) {
    return register_in_slot(ops, kRecorderSlot + 1, FGRAPH_MAX_USERS, {});
}

// The lock is not held while a callback is waited for: it may be in dlopen, which takes it, too.
MT_PUBLIC int unregister_ftrace_graph(fgraph_ops* ops) {
    if (is_in_callback()) return -EDEADLK;
    unsigned index = 0;
    uint32_t withdrawn = 0;
    {
        LockHolder lock(registry_lock);
        if (!is_registered(ops)) return -ENOENT;
        index = ops->slot;
        leaving |= 1u << index;
        for (size_t m = 0; m < site_table->size(); m++)
            switch_off_for(index, (*site_table)[m]);
        fill_with_stub(core.slots[index]);
        withdrawn = withdraw_lists_of(index);
        order_against_marks();
    }
    wait_for_callbacks();
    order_against_marks();
    LockHolder lock(registry_lock);
    reuse_lists(withdrawn);
    // Not before: who was inside may have taken the function and not yet the ops.
    core.slots[index].ops = nullptr;
    forget_filters(index);
    // Frames of its calls that are still open meet the stub, or a newcomer's later epoch.
    if (index != kRecorderSlot) core.slots[index].epoch = fgraph_handlers.epoch.fetch_add(1) + 1;
    core.guarded &= ~(1u << index);
    core.uses_fp &= ~(1u << index);
    fgraph_handlers.wants_full &= ~(1u << index);
    leaving &= ~(1u << index);
    note_new_users_of_sites();
    return 0;
}
