#include "lib/fgraph/dispatch_lists.h"

#include <string.h>

#include <algorithm>

#include "lib/base/membarrier.h"
#include "lib/fgraph/callbacks.h"
#include "lib/fgraph/core.h"

extern "C" {
constinit std::atomic<const mipstrace::fgraph::DispatchList*> fgraph_lists[1u << FGRAPH_MAX_USERS];
}

// The code that calls the pairs of a list; see trampoline/enter_by_list.h.
extern "C" __attribute__((visibility("hidden"))) const uint32_t ask_for_entries[],
    tell_of_entries[], tell_of_returns[];

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
bool have_barriers = true;  // in each thread

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

// Where the code that calls `pairs` begins with the first of these, which are the last of their
// array.
uintptr_t call_from(const uint32_t* code, size_t words_for_each, size_t pairs) {
    return reinterpret_cast<uintptr_t>(code + words_for_each * (LIST_PAIRS - pairs));
}

void fill(DispatchList& list, uint32_t users) {
    DispatchList::Pair entries[LIST_PAIRS];
    DispatchList::Pair leaves[LIST_PAIRS];
    DispatchList::Pair* entry = entries;
    DispatchList::Pair* leave = leaves;
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
    const size_t entry_count = size_t(entry - entries);
    const size_t leave_count = size_t(leave - leaves);
    std::copy(entries, entry, list.entries + LIST_PAIRS - entry_count);
    std::copy(leaves, leave, list.leaves + LIST_PAIRS - leave_count);
    list.enter = returning != 0 ? call_from(ask_for_entries, LIST_ASK_WORDS, entry_count)
                                : call_from(tell_of_entries, LIST_CALL_WORDS, entry_count);
    list.leave = call_from(tell_of_returns, LIST_CALL_WORDS, leave_count);
    list.users = returning | kAsking;
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

// System calls: only where there is one.
void reuse_withdrawn() {
    if (std::count(std::begin(states), std::end(states), State::withdrawn) == 0) return;
    order_against_marks();
    if (!is_any_thread_in_callback()) reuse_lists(withdrawals);
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

void open_lists(bool have_sync) {
    are_open = true;
    have_barriers = have_sync;
}

void order_against_marks() {
    if (have_barriers)
        std::atomic_thread_fence(std::memory_order_seq_cst);
    else
        barrier_in_all_threads();
}

void refresh_lists() {
    if (!are_open) return;
    memset(is_used, 0, sizeof is_used);
    for_each_set([](uint32_t users) { is_used[users / 8] |= uint8_t(1u << users % 8); });
    withdraw([](uint32_t users) { return (is_used[users / 8] >> users % 8 & 1) == 0; });
    reuse_withdrawn();
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
