// A barrier that one thread sets for all of its process, so that those on a path that is taken
// often need none: each of them has run a full one somewhere in barrier_in_all_threads().
#pragma once

namespace mipstrace {

// Once, before one may be needed. False: this system has none (before Linux 4.14); who counts on it
// sets barriers of their own.
bool prepare_barrier_in_all_threads();

// After prepare_barrier_in_all_threads has returned true; also in the child of a fork. Where the
// system call is refused meanwhile, by a filter of the program's, waits for some milliseconds: no
// processor keeps a store to itself for that long. Any thread, takes no lock; errno stays.
void barrier_in_all_threads();

}  // namespace mipstrace
