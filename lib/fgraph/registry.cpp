// Registration: slots, epochs, and the filters that become bits in the sleds.
#include <cxxabi.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/syscall.h"
#include "lib/elf/elf_file.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/thread_state.h"
#include "lib/filter/function_filter.h"
#include "lib/filter/mangled.h"
#include "lib/patch/code_patcher.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::fgraph {

Core core;
void (*count_loss)(Loss);

namespace {

pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
patch::SiteTable* site_table;

struct RegistryLock {
    RegistryLock() { pthread_mutex_lock(&registry_lock); }
    ~RegistryLock() { pthread_mutex_unlock(&registry_lock); }
};

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

void fill_with_stub(Slot& slot) {
    slot.entry = stub_entry;
    slot.leave = stub_return;
    slot.left = nullptr;
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Marks on Site::mark while a filter is applied.
constexpr uint8_t kWanted = 1;
constexpr uint8_t kUnwanted = 2;

// The sled stands at the function's first instruction, on o32 up to three behind it (.cpload).
constexpr uint32_t kSledSlack = 12;

bool names_match(std::string_view list, filter::FunctionName& name) {
    return !list.empty() && filter::list_matches(list, name);
}

// Any name of a function selects it, and any name of it excludes it.
void mark_sites(patch::Module& module, const filter::FunctionFilter& filter) {
    for (size_t i = 0; i < module.site_count; i++)
        module.sites[i].mark = filter.wanted.empty() ? kWanted : 0;
    if (filter.empty()) return;
    elf::ElfFile file;
    if (file.open(module.path) != elf::OpenError::none) return;
    auto visit = [&](const elf::Symbol& symbol) {
        if (!symbol.is_function) return true;
        const uintptr_t offset = module.load_bias + symbol.value - module.text_start;
        if (offset >= module.text_size) return true;
        patch::Site* site = patch::SiteTable::find(module, uint32_t(offset), kSledSlack);
        if (site == nullptr) return true;
        filter::FunctionName name{symbol.name, {}, module.base_name()};
        char* demangled = nullptr;
        if (symbol.name.size() > 2 && symbol.name[0] == '_' && symbol.name[1] == 'Z' &&
            filter::may_demangle(symbol.name.data())) {
            demangled = abi::__cxa_demangle(symbol.name.data(), nullptr, nullptr, nullptr);
            if (demangled != nullptr) name.demangled = demangled;
        }
        if (names_match(filter.wanted, name)) site->mark |= kWanted;
        if (names_match(filter.unwanted, name)) site->mark |= kUnwanted;
        free(demangled);
        return true;
    };
    if (!file.for_each_symbol(false, visit)) file.for_each_symbol(true, visit);
}

uint16_t with_marked(const patch::Site& site, void* bit) {
    const uint16_t mask = *static_cast<const uint16_t*>(bit);
    return uint16_t(site.mark == kWanted ? site.users | mask : site.users & ~mask);
}

uint16_t without(const patch::Site& site, void* bit) {
    return uint16_t(site.users & ~*static_cast<const uint16_t*>(bit));
}

bool thread_is_inside(unsigned slot) {
    struct Search {
        uint32_t wanted;
        bool found;
    } search{slot + 1, false};
    for_each_thread(
        [](ThreadState& thread, void* context) {
            auto& s = *static_cast<Search*>(context);
            if (thread.in_callback.load(std::memory_order_acquire) == s.wanted) s.found = true;
        },
        &search);
    return search.found;
}

void fill_slot(Slot& slot, fgraph_ops* ops) {
    slot.ops = ops;
    slot.left = ops->leftfunc;
    slot.leave = ops->retfunc != nullptr ? ops->retfunc : stub_return;
    slot.epoch = fgraph_handlers.epoch.fetch_add(1) + 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ops->entryfunc == nullptr)
        slot.entry = entry_without_func;
    else
        slot.entry = ops->retfunc != nullptr ? ops->entryfunc : entry_without_return;
}

}  // namespace

void set_site_table(patch::SiteTable* table) {
    for (Slot& slot : core.slots)
        fill_with_stub(slot);
    site_table = table;
}

size_t count_sites_of(unsigned slot) {
    size_t count = 0;
    for (size_t m = 0; m < site_table->size(); m++) {
        const patch::Module& module = (*site_table)[m];
        for (size_t i = 0; i < module.site_count; i++)
            count += module.sites[i].users >> slot & 1;
    }
    return count;
}

}  // namespace mipstrace::fgraph

using namespace mipstrace;
using namespace mipstrace::fgraph;

fgraph_handlers_t fgraph_handlers{
    {0}, {kNoFastUsers}, {fgraph_enter}, {fgraph_leave}, 0, return_to_handler, {0}, nullptr};

static_assert(offsetof(fgraph_handlers_t, wants_full) == FGRAPH_HANDLERS_WANTS_FULL);
static_assert(offsetof(fgraph_handlers_t, fast_users) == FGRAPH_HANDLERS_FAST_USERS);
static_assert(offsetof(fgraph_handlers_t, enter) == FGRAPH_HANDLERS_ENTER);
static_assert(offsetof(fgraph_handlers_t, leave) == FGRAPH_HANDLERS_LEAVE);
static_assert(offsetof(fgraph_handlers_t, thread) == FGRAPH_HANDLERS_THREAD);
static_assert(offsetof(fgraph_handlers_t, return_address) == FGRAPH_HANDLERS_RETURN);
static_assert(offsetof(fgraph_handlers_t, epoch) == FGRAPH_HANDLERS_EPOCH);
static_assert(offsetof(fgraph_handlers_t, clock) == FGRAPH_HANDLERS_CLOCK);

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

MT_PUBLIC int register_ftrace_graph(fgraph_ops* ops) {
    if (ops == nullptr || ops->size != sizeof(fgraph_ops) ||
        (ops->entryfunc == nullptr && ops->retfunc == nullptr))
        return -EINVAL;
    RegistryLock lock;
    int free_slot = -1;
    for (int i = FGRAPH_MAX_USERS; i-- > 0;) {
        if (core.slots[i].ops == ops) return -EBUSY;
        if (core.slots[i].ops == nullptr) free_slot = i;
    }
    if (free_slot < 0) return -ENOSPC;
    const uint32_t bit = 1u << free_slot;
    if ((ops->flags & FGRAPH_OPS_FL_PLAIN) == 0) core.guarded |= bit;
    if ((ops->flags & FGRAPH_OPS_FL_REGS) != 0) fgraph_handlers.wants_full |= bit;
    ops->slot = uint16_t(free_slot);
    fill_slot(core.slots[free_slot], ops);
    const filter::FunctionFilter filter{ops->filter != nullptr ? ops->filter : "",
                                        ops->notrace != nullptr ? ops->notrace : ""};
    uint16_t mask = uint16_t(bit);
    for (size_t m = 0; m < site_table->size(); m++) {
        mark_sites((*site_table)[m], filter);
        patch::set_users((*site_table)[m], with_marked, &mask);
    }
    return 0;
}

MT_PUBLIC int unregister_ftrace_graph(fgraph_ops* ops) {
    RegistryLock lock;
    if (ops == nullptr || ops->slot >= FGRAPH_MAX_USERS || core.slots[ops->slot].ops != ops)
        return -ENOENT;
    const unsigned index = ops->slot;
    uint16_t mask = uint16_t(1u << index);
    for (size_t m = 0; m < site_table->size(); m++)
        patch::set_users((*site_table)[m], without, &mask);
    fill_with_stub(core.slots[index]);
    while (thread_is_inside(index))
        raw_syscall(SYS_sched_yield);
    // Not before: who was inside may have taken the function and not yet the ops.
    core.slots[index].ops = nullptr;
    // Frames of its calls that are still open meet the stub, or a newcomer's later epoch.
    core.slots[index].epoch = fgraph_handlers.epoch.fetch_add(1) + 1;
    core.guarded &= ~uint32_t(mask);
    fgraph_handlers.wants_full &= ~uint32_t(mask);
    return 0;
}
