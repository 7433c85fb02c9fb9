#include "lib/fgraph/dispatch_lists.h"

#include <string.h>

#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/core.h"

extern "C" {
constinit std::atomic<const mipstrace::fgraph::DispatchList*> fgraph_lists[1u << FGRAPH_MAX_USERS];
}

namespace mipstrace::fgraph {

namespace {

constexpr size_t kSets = 1u << FGRAPH_MAX_USERS;

// Sets beyond these go without. Memory that was never used is never touched.
constexpr size_t kLists = 1024;
enum class State : uint8_t { free, live, withdrawn };
DispatchList lists[kLists];
State states[kLists];
uint16_t sets[kLists];
uint32_t withdrawn_at[kLists];
uint32_t withdrawals;
bool are_open;

uint8_t is_used[kSets / 8];  // scratch: a bit for each set

template <typename F>
uintptr_t address_of(F* function) {
    return reinterpret_cast<uintptr_t>(function);
}

bool can_have_list(uint32_t users) {
    if ((users & fgraph_handlers.wants_full) != 0) return false;
    for (; users != 0; users &= users - 1) {
        if (core.slots[__builtin_ctz(users)].ops == nullptr) return false;
    }
    return true;
}

void fill(DispatchList& list, uint32_t users) {
    DispatchList::Pair* entry = list.entries;
    DispatchList::Pair* leave = list.leaves;
    const bool keeps_fp = (users & core.uses_fp) != 0;
    uint32_t returning = 0;
    if (keeps_fp) {
        *entry++ = {address_of(ftrace_keep_argument_fp), 0};
        *leave++ = {address_of(ftrace_keep_return_fp), 0};
    }
    for (uint32_t left = users; left != 0;) {
        const unsigned i = take_next_user(left);
        const Slot& slot = core.slots[i];
        const auto ops = reinterpret_cast<uintptr_t>(slot.ops);
        *entry++ = {slot.ops->entryfunc != nullptr ? address_of(slot.ops->entryfunc)
                                                   : address_of(slot.entry),
                    ops};
        if (slot.ops->retfunc == nullptr) continue;
        *leave++ = {address_of(slot.leave), ops};
        returning |= 1u << i;
    }
    if (keeps_fp) {
        *entry++ = {address_of(ftrace_put_back_argument_fp), 0};
        *leave++ = {address_of(ftrace_put_back_return_fp), 0};
    }
    *entry = {0, returning};
    *leave = {0, 0};
    // No other list has had it: a frame may still know an earlier one in the same place.
    list.stamp = fgraph_handlers.epoch.fetch_add(1) + 1;
    list.epoch = list.stamp;
}

void make_list(uint32_t users) {
    for (size_t i = 0; i < kLists; i++) {
        if (states[i] != State::free) continue;
        fill(lists[i], users);
        sets[i] = uint16_t(users);
        states[i] = State::live;
        fgraph_lists[users].store(&lists[i], std::memory_order_release);
        return;
    }
}

template <typename Wanted>
void withdraw(Wanted&& wanted) {
    withdrawals++;
    for (size_t i = 0; i < kLists; i++) {
        if (states[i] != State::live || !wanted(sets[i])) continue;
        fgraph_lists[sets[i]] = nullptr;
        lists[i].epoch = kNoEpoch;
        states[i] = State::withdrawn;
        withdrawn_at[i] = withdrawals;
    }
}

template <typename Visit>
void for_each_set(Visit&& visit) {
    patch::SiteTable& modules = traced_modules();
    for (size_t m = 0; m < modules.size(); m++) {
        for (size_t i = 0; i < modules[m].site_count; i++)
            visit(modules[m].sites[i].users);
    }
}

}  // namespace

void open_lists() {
    are_open = true;
}

void refresh_lists() {
    if (!are_open) return;
    memset(is_used, 0, sizeof is_used);
    for_each_set([](uint32_t users) { is_used[users / 8] |= uint8_t(1u << users % 8); });
    withdraw([](uint32_t users) { return (is_used[users / 8] >> users % 8 & 1) == 0; });
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!is_any_thread_in_callback()) reuse_lists(withdrawals);
    for_each_set([](uint32_t users) {
        if (users != 0 && fgraph_lists[users] == nullptr && can_have_list(users)) make_list(users);
    });
}

uint32_t withdraw_lists_of(unsigned slot) {
    withdraw([&](uint32_t users) { return (users >> slot & 1) != 0; });
    return withdrawals;
}

void reuse_lists(uint32_t withdrawn) {
    for (size_t i = 0; i < kLists; i++) {
        if (states[i] == State::withdrawn && int32_t(withdrawn - withdrawn_at[i]) >= 0)
            states[i] = State::free;
    }
}

}  // namespace mipstrace::fgraph
