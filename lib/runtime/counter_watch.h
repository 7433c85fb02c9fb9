// Sees to it that no thread's silence hides a wrap of the cycle counter, which has 32 bits. A
// helper thread parks the cursors of all threads twice a second; see lib/record/event_writer.h.
// Once all are parked it ends, and the next event that takes the rare way makes it anew.
#pragma once

namespace mipstrace::runtime {

// The recording's clock is the cycle counter. Once, before the first event.
void watch_cycle_counter();

// In the child of a fork: it has no helper.
void forget_counter_watch();

}  // namespace mipstrace::runtime
