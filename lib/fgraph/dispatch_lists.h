// The callbacks of a set of users in the order in which they are called, made when filters change,
// so that the trampolines need not look for them at a call.
//
//   sled's users -> fgraph_lists[users] -> list { epoch, entries: ..., save fp, a, b, restore fp
//                                                        leaves:       ..., save fp, a, restore fp
//   frame { list, epoch } ------------------^            enter, leave: where the code begins that
//                                                        calls the first, and all behind it }
//   fp: where a callback may use it
//
// A frame keeps the list that its users were taken from. Its epoch tells at the return whether that
// still holds: it becomes kNoEpoch when one of the users goes, and the list's place may hold
// another one later. Who reads a list has marked the thread before (ThreadState::in_callback), so
// that its place is not used again meanwhile. A set without a list, or with a user that wants every
// register, goes the way of fgraph_enter.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "trampoline/frame_layout.h"

namespace mipstrace::fgraph {

struct DispatchList {
    struct Pair {
        uintptr_t function;
        uintptr_t argument;  // fgraph_ops*
    };
    std::atomic<uint32_t> epoch;
    alignas(8) uint32_t stamp;  // its epoch also when it is withdrawn: of who took it just before
    uint32_t users;             // Frame::users while they are asked
    uintptr_t enter;
    uintptr_t leave;
    Pair entries[LIST_PAIRS];
    Pair leaves[LIST_PAIRS];
};
static_assert(offsetof(DispatchList, epoch) == LIST_EPOCH);
static_assert(offsetof(DispatchList, stamp) == LIST_STAMP);
static_assert(offsetof(DispatchList, users) == LIST_USERS);
static_assert(offsetof(DispatchList, enter) == LIST_ENTER);
static_assert(offsetof(DispatchList, leave) == LIST_LEAVE);
static_assert(offsetof(DispatchList, entries) == LIST_ENTRIES);
static_assert(offsetof(DispatchList, leaves) == LIST_LEAVES);
static_assert(sizeof(DispatchList::Pair) == LIST_PAIR);

// All of these under registry_lock.

// Once: the trampolines look for lists. With `have_sync` they set barriers by themselves, else
// barrier_in_all_threads has been prepared.
void open_lists(bool have_sync);

// Orders what this thread has written, and then reads of the marks of others, against what they
// write and read around their marks.
void order_against_marks();

// After users or their filters have changed: makes the lists that the sites need from now on.
void refresh_lists();

// Withdraws the lists that hold the user in `slot`. They may be in use until every callback has
// ended that runs now. Returns what to tell reuse_lists then.
uint32_t withdraw_lists_of(unsigned slot);

// No one reads the lists any more that were withdrawn up to then.
void reuse_lists(uint32_t withdrawn);

}  // namespace mipstrace::fgraph

extern "C" {
// What the trampolines look up, by the set of users; null: no list.
extern std::atomic<const mipstrace::fgraph::DispatchList*> fgraph_lists[]
    __attribute__((visibility("hidden")));
}
