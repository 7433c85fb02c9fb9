#include "lib/call_counter/call_counter.h"

#include <atomic>

#include "lib/base/arena.h"
#include "lib/base/wide_count.h"
#include "lib/fgraph/frames.h"
#include "trampoline/frame_layout.h"

namespace mipstrace::call_counter {

static_assert(offsetof(CallSites, start) == CALL_SITES_START);
static_assert(offsetof(CallSites, size) == CALL_SITES_SIZE);
static_assert(offsetof(CallSites, slots) == CALL_SITES_SLOTS);
static_assert(offsetof(CallSites, arcs) == CALL_SITES_ARCS);
static_assert(offsetof(Arc, count) == ARC_COUNT && offsetof(Arc, callee) == ARC_CALLEE &&
              offsetof(Arc, next) == ARC_NEXT);

namespace {

// Memory that is not used costs nothing but addresses, of which 32-bit programs have few.
constexpr size_t kArcBytes = sizeof(void*) == 8 ? size_t(256) << 20 : size_t(16) << 20;

Arc* arcs;
std::atomic<uint32_t> next_free{sizeof(Arc)};  // bytes; 0 means none
std::atomic<uint32_t> lost;
std::atomic<CallSites*> first_sites;
constexpr CallSites kNoSites{};
uint32_t from_nowhere;  // the list of calls from modules without a table

Arc& arc_at(uint32_t offset) {
    return *reinterpret_cast<Arc*>(reinterpret_cast<char*>(arcs) + offset);
}

CallSites* find_sites(uintptr_t address) {
    for (CallSites* at = first_sites.load(std::memory_order_acquire); at != nullptr; at = at->next)
        if (address - at->start < at->size && at->module->loaded) return at;
    return nullptr;
}

// The list that a call belongs to which returns to `address`.
uint32_t* slot_of(uintptr_t address) {
    CallSites* caller = find_sites(address);
    return caller != nullptr ? caller->slots + (address - caller->start) / sizeof(uint32_t)
                             : &from_nowhere;
}

uint32_t find(uint32_t from, uint32_t end, uint32_t callee) {
    while (from != end && arc_at(from).callee != callee)
        from = arc_at(from).next;
    return from;
}

// 0: no room.
uint32_t new_arc() {
    if (next_free.load(std::memory_order_relaxed) > kArcBytes - sizeof(Arc)) return 0;
    const uint32_t fresh = next_free.fetch_add(sizeof(Arc), std::memory_order_relaxed);
    return fresh <= kArcBytes - sizeof(Arc) ? fresh : 0;
}

// Adds an arc, unless another thread, or a handler in this one, does at the same time.
uint32_t add(uint32_t* slot, uint32_t seen, uint32_t callee) {
    const uint32_t fresh = new_arc();
    if (fresh == 0) return 0;
    arc_at(fresh).callee = callee;
    for (;;) {
        arc_at(fresh).next = seen;
        uint32_t first = seen;
        if (__atomic_compare_exchange_n(slot, &first, fresh, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE))
            return fresh;
        const uint32_t other = find(first, seen, callee);
        if (other != seen) return other;
        seen = first;
    }
}

// Where the call returns to; for one that was jumped to, where the one that jumped does.
uintptr_t caller_of(const ftrace_graph_call& call, const ftrace_regs& regs) {
    uintptr_t address = uintptr_t(regs.gpr[31]);
    const fgraph::Frame* frames = fgraph::this_thread->stack.base;
    for (int depth = call.depth; address == fgraph::handler_address() && depth > 0; depth--)
        address = frames[depth].ret;
    return address;
}

int on_entry(const ftrace_graph_call* call, fgraph_ops*, ftrace_regs* regs) {
    uint32_t* slot = slot_of(caller_of(*call, *regs));
    const uint32_t first = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    uint32_t found = find(first, 0, call->position);
    if (found == 0) found = add(slot, first, call->position);
    if (found != 0)
        add_one_atomically(&arc_at(found).count);
    else
        lost.fetch_add(1, std::memory_order_relaxed);
    return 0;
}

fgraph_ops ops;

struct Visit {
    const CallSites& callees;
    ArcVisitor visit;
    void* context;

    void list(uint32_t first, uintptr_t from) const {
        const patch::Module& module = *callees.module;
        for (uint32_t at = first; at != 0; at = arc_at(at).next) {
            const Arc& arc = arc_at(at);
            const uint32_t offset = arc.callee - module.pos_base;
            const uint64_t count = arc.count;
            if (offset >= callees.size || count == 0) continue;
            visit(from, module.text_start - module.load_bias + offset, count, context);
        }
    }
};

}  // namespace

bool prepare() {
    arcs = static_cast<Arc*>(map_pages(kArcBytes));
    return arcs != nullptr;
}

const void* sites_of(const patch::Module& module) {
    CallSites* sites = first_sites.load(std::memory_order_relaxed);
    while (sites != nullptr && sites->module != &module)
        sites = sites->next;
    const bool is_new = sites == nullptr;
    if (is_new) {
        sites = map_objects<CallSites>(1);
        if (sites == nullptr) return &kNoSites;
        // A call at the very end returns behind the text.
        sites->slots = map_objects<uint32_t>(module.text_size / sizeof(uint32_t) + 1);
        if (sites->slots == nullptr) return &kNoSites;
        sites->arcs = arcs;
        sites->module = &module;
        sites->next = first_sites.load(std::memory_order_relaxed);
    }
    sites->start = module.text_start;
    sites->size = module.text_size;
    if (is_new) first_sites.store(sites, std::memory_order_release);
    return sites;
}

fgraph_ops& counter_ops() {
    ops.size = sizeof ops;
    ops.flags = FGRAPH_OPS_FL_PLAIN;
    ops.entryfunc = on_entry;
    return ops;
}

void for_each_arc(const CallSites& callees, ArcVisitor visit, void* context) {
    const Visit visitor{callees, visit, context};
    visitor.list(__atomic_load_n(&from_nowhere, __ATOMIC_ACQUIRE), 0);
    for (const CallSites* at = all_sites(); at != nullptr; at = at->next) {
        const bool inside = at == &callees;
        const uintptr_t base = at->start - at->module->load_bias;
        for (uintptr_t offset = 0; offset < at->size; offset += sizeof(uint32_t)) {
            const uint32_t first =
                __atomic_load_n(at->slots + offset / sizeof(uint32_t), __ATOMIC_ACQUIRE);
            // The instruction before: a call that never returns may be the last one of its
            // function.
            if (first != 0) visitor.list(first, inside ? base + offset - sizeof(uint32_t) : 0);
        }
    }
}

const CallSites* all_sites() {
    return first_sites.load(std::memory_order_acquire);
}

uint64_t lost_arcs() {
    return lost.load(std::memory_order_relaxed);
}

void forget_counts() {
    const uint32_t end = next_free.load(std::memory_order_relaxed);
    for (uint32_t at = sizeof(Arc); at < end && at < kArcBytes; at += sizeof(Arc))
        arc_at(at).count = 0;
    lost = 0;
}

}  // namespace mipstrace::call_counter
