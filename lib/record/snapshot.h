// Snapshots of a recording with a buffer: a signal copies the trace file, as it is at that moment,
// to PID-SEQ.snapshot-N.trace beside it. The program's threads go on meanwhile.
#pragma once

#include <cstddef>

namespace mipstrace::record {

// From now on that signal takes a snapshot, until the program handles it itself. False, with errno:
// it can't be caught.
bool take_snapshots_on(int signal, bool verbose);

// Takes one now, in a thread without signals. True if it succeeded; the path is in `path`, of
// `room` bytes, else why not.
bool take_snapshot_now(char* path, size_t room);

// Takes one in a callback of a call.
void take_snapshot_in_call();

// In the child of a fork: a snapshot that was being taken is not the child's.
void forget_snapshot();

}  // namespace mipstrace::record
